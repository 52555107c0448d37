<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="primal.lp"
   objectiveValue="2.5"
   solutionTypeValue="1"
   solutionTypeString="basic"
   solutionStatusValue="1"
   solutionStatusString="optimal"
   solutionMethodString="dual"
   primalFeasible="1"
   dualFeasible="1"
   simplexIterations="5"
   writeLevel="1"/>
 <quality
   epRHS="9.9999999999999995e-07"
   epOpt="9.9999999999999995e-07"
   maxPrimalInfeas="0"
   maxDualInfeas="0"
   maxPrimalResidual="2.2204460492503131e-16"
   maxDualResidual="0"
   maxX="2.5"
   maxPi="1.5"
   maxSlack="1.5"
   maxRedCost="0"
   kappa="48.149999999999999"/>
 <linearConstraints>
  <constraint name="b_1_1_1_1" index="0" status="BS" slack="-1.5" dual="-0"/>
  <constraint name="b_1_1_1_2" index="1" status="LL" slack="0" dual="-0"/>
  <constraint name="b_1_1_2_2" index="2" status="LL" slack="0" dual="0.5"/>
  <constraint name="b_1_2_1_1" index="3" status="BS" slack="-1.5" dual="-0"/>
  <constraint name="b_1_2_1_2" index="4" status="BS" slack="-0" dual="-0"/>
  <constraint name="b_1_2_2_2" index="5" status="LL" slack="0" dual="0.5"/>
  <constraint name="a_1" index="6" status="LL" slack="0" dual="0"/>
  <constraint name="a_2" index="7" status="LL" slack="0" dual="1.5"/>
  <constraint name="a_3" index="8" status="LL" slack="0" dual="1"/>
 </linearConstraints>
 <variables>
  <variable name="T" index="0" status="BS" value="2.5" reducedCost="0"/>
  <variable name="x_1_1" index="1" status="BS" value="0.5" reducedCost="0"/>
  <variable name="x_2_1" index="2" status="BS" value="0.83333333333333326" reducedCost="0"/>
  <variable name="x_1_2" index="3" status="BS" value="0.5" reducedCost="0"/>
  <variable name="x_2_2" index="4" status="BS" value="0.16666666666666663" reducedCost="0"/>
  <variable name="x_3_2" index="5" status="BS" value="1" reducedCost="0"/>
 </variables>
</CPLEXSolution>

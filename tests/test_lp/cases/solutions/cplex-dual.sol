<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="dual.lp"
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
   maxPrimalResidual="0"
   maxDualResidual="1.1102230246251565e-16"
   maxX="1.5"
   maxPi="2.5"
   maxSlack="0"
   maxRedCost="1.5"
   kappa="11.499999999999998"/>
 <linearConstraints>
  <constraint name="T" index="0" status="LL" slack="0" dual="2.5"/>
  <constraint name="x_1_1" index="1" status="LL" slack="0" dual="0.5"/>
  <constraint name="x_1_2" index="2" status="LL" slack="0" dual="0.5"/>
  <constraint name="x_2_1" index="3" status="LL" slack="0" dual="0.83333333333333326"/>
  <constraint name="x_2_2" index="4" status="LL" slack="0" dual="0.16666666666666663"/>
  <constraint name="x_3_2" index="5" status="LL" slack="0" dual="1"/>
 </linearConstraints>
 <variables>
  <variable name="beta_1_1_1_2" index="0" status="BS" value="0" reducedCost="0"/>
  <variable name="beta_1_2_1_2" index="1" status="LL" value="0" reducedCost="-0"/>
  <variable name="alpha_1" index="2" status="BS" value="0" reducedCost="0"/>
  <variable name="alpha_2" index="3" status="BS" value="1.5" reducedCost="0"/>
  <variable name="alpha_3" index="4" status="BS" value="1" reducedCost="0"/>
  <variable name="beta_1_1_1_1" index="5" status="LL" value="0" reducedCost="-1.5"/>
  <variable name="beta_1_1_2_2" index="6" status="BS" value="0.5" reducedCost="0"/>
  <variable name="beta_1_2_1_1" index="7" status="LL" value="0" reducedCost="-1.5"/>
  <variable name="beta_1_2_2_2" index="8" status="BS" value="0.5" reducedCost="0"/>
 </variables>
</CPLEXSolution>

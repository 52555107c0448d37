# Solution for model objective
# Objective value = 2.5
beta_1_1_1_2 0.5
beta_1_2_1_2 0.5
alpha_1 1
alpha_2 1.5
alpha_3 1
beta_1_1_1_1 0
beta_1_1_2_2 0
beta_1_2_1_1 0
beta_1_2_2_2 0

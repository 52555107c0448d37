Model status
Optimal

# Primal solution values
Feasible
Objective 2.5
# Columns 9
beta_1_1_1_2 0
beta_1_2_1_2 0
alpha_1 0
alpha_2 1.5
alpha_3 1
beta_1_1_1_1 0
beta_1_1_2_2 0.5
beta_1_2_1_1 0
beta_1_2_2_2 0.5
# Rows 6
T 1
x_1_1 0
x_1_2 0
x_2_1 0
x_2_2 0
x_3_2 0

# Dual solution values
Feasible
# Columns 9
beta_1_1_1_2 0
beta_1_2_1_2 0
alpha_1 0
alpha_2 0
alpha_3 0
beta_1_1_1_1 -1.5
beta_1_1_2_2 0
beta_1_2_1_1 -1.5
beta_1_2_2_2 0
# Rows 6
T 2.5
x_1_1 0.5
x_1_2 0.5
x_2_1 0.8333333333333
x_2_2 0.1666666666667
x_3_2 1

# Basis
HiGHS_basis_file v2
Valid
# Columns 9
beta_1_1_1_2 0
beta_1_2_1_2 1
alpha_1 1
alpha_2 1
alpha_3 1
beta_1_1_1_1 0
beta_1_1_2_2 1
beta_1_2_1_1 0
beta_1_2_2_2 1
# Rows 6
T 2
x_1_1 2
x_1_2 2
x_2_1 2
x_2_2 2
x_3_2 2

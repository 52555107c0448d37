Model status
Optimal

# Primal solution values
Feasible
Objective 2.5
# Columns 6
T 2.5
x_1_1 0.5
x_2_1 0.8333333333333
x_1_2 0.5
x_2_2 0.1666666666667
x_3_2 1
# Rows 9
b_1_1_1_1 1.5
b_1_1_1_2 -1
b_1_1_2_2 0
b_1_2_1_1 1.5
b_1_2_1_2 -1
b_1_2_2_2 0
a_1 1
a_2 1
a_3 1

# Dual solution values
Feasible
# Columns 6
T 0
x_1_1 0
x_2_1 0
x_1_2 0
x_2_2 0
x_3_2 0
# Rows 9
b_1_1_1_1 0
b_1_1_1_2 0
b_1_1_2_2 0.5
b_1_2_1_1 0
b_1_2_1_2 0
b_1_2_2_2 0.5
a_1 0
a_2 1.5
a_3 1

# Basis
HiGHS_basis_file v2
Valid
# Columns 6
T 1
x_1_1 1
x_2_1 1
x_1_2 1
x_2_2 1
x_3_2 1
# Rows 9
b_1_1_1_1 1
b_1_1_1_2 0
b_1_1_2_2 0
b_1_2_1_1 1
b_1_2_1_2 1
b_1_2_2_2 0
a_1 0
a_2 0
a_3 0

objective value:                                  2.5
beta_1_1_1_2                                      0.5 	(obj:-1)
beta_1_2_1_2                                      0.5 	(obj:-1)
alpha_1                                             1 	(obj:1)
alpha_2                                           1.5 	(obj:1)
alpha_3                                             1 	(obj:1)

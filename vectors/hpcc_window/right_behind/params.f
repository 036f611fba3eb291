// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_FLOWS=8
+define+CONGRUENT_FLOW_W=4
+define+CONGRUENT_HOPS=5
+define+CONGRUENT_TIME_W=10
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_U_FRAC=24
+define+CONGRUENT_W_FRAC=8

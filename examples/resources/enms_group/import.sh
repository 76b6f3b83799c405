terraform import enms_group.operators operators

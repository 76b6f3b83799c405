terraform import enms_user.ann ann

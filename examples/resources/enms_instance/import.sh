# By the type and the name, with a slash between them.
terraform import enms_instance.rack 'rack/DALLAS 12'

terraform import enms_link.backbone DALLAS-HOUSTON

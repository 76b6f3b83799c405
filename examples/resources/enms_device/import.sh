terraform import enms_device.dallas DALLAS

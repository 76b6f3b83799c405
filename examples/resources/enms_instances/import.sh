# By the type and the names, with a slash after the type and commas between the names.
terraform import enms_instances.routers 'device/DALLAS,HOUSTON'
# In JSON, if a name contains a comma, or to import only certain properties.
terraform import enms_instances.routers '{"type":"device","names":["DALLAS","HOUSTON"],"properties":["ip_address","vendor"]}'

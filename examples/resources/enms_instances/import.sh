# By the type and the names, with a slash after the type and commas between the names.
terraform import enms_instances.routers 'device/DALLAS,HOUSTON'
# With a comma in a name, or to bring certain properties only, in JSON.
terraform import enms_instances.routers '{"type":"device","names":["DALLAS","HOUSTON"],"properties":["ip_address","vendor"]}'

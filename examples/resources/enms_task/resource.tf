# Services, devices and pools are referred to by their resources, so that Terraform
# knows the order and renames are followed.
resource "enms_service" "backup" {
  name = "Backup"
  type = "workflow"
}

resource "enms_device" "router" {
  for_each   = { DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

resource "enms_pool" "datacenter" {
  name    = "Datacenter"
  devices = [enms_device.router["DALLAS"].name]
}

# On every working day at two in the morning, by the clock of the eNMS server.
resource "enms_task" "nightly" {
  name               = "Nightly backup"
  service            = enms_service.backup.name
  scheduling_mode    = "cron"
  crontab_expression = "0 2 * * 1,2,3,4,5"
  is_active          = true
  devices            = [for router in enms_device.router : router.name]
}

# Once.
resource "enms_task" "move" {
  name       = "Backup before the move"
  service    = enms_service.backup.name
  start_date = "01/06/2035 22:00:00"
  is_active  = true

  initial_payload = {
    reason = "move to the new site"
  }
}

# Every six hours, until the end of the year.
resource "enms_task" "watch" {
  name           = "Watch"
  service        = enms_service.backup.name
  start_date     = "01/01/2035 00:00:00"
  end_date       = "31/12/2035 23:59:59"
  frequency      = 6
  frequency_unit = "hours"
  is_active      = true
  pools          = [enms_pool.datacenter.name]
}

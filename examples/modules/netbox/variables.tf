variable "devices" {
  description = "The bodies of all pages of /api/dcim/devices/, in JSON."
  type        = list(string)

  validation {
    condition     = length(var.devices) > 0 && alltrue([for body in var.devices : can(jsondecode(body).results[*].id) && can(jsondecode(body).count + 0)])
    error_message = "A page of devices is not an answer of NetBox: there must be pages, each with count and results."
  }

  validation {
    condition     = try(jsondecode(var.devices[0]).count > 0, true)
    error_message = "NetBox has no devices. An empty inventory would delete every device in eNMS: check the token, its rights and the filter of the request."
  }

  validation {
    condition     = try(alltrue([for body in var.devices : jsondecode(body).count == length(toset(flatten([for body in var.devices : jsondecode(body).results[*].id])))]), true)
    error_message = "The pages of devices are not complete: NetBox counts ${join(", ", distinct([for body in var.devices : try(tostring(jsondecode(body).count), "no")]))} devices, and the pages hold ${try(length(toset(flatten([for body in var.devices : jsondecode(body).results[*].id]))), 0)}. Read all pages; if NetBox was changed meanwhile, plan again."
  }
}

variable "cables" {
  description = "The bodies of all pages of /api/dcim/cables/, in JSON. By default, no links are made."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for body in var.cables : can(jsondecode(body).results[*].id) && can(jsondecode(body).count + 0)])
    error_message = "A page of cables is not an answer of NetBox: each has count and results."
  }

  validation {
    condition     = try(alltrue([for body in var.cables : jsondecode(body).count == length(toset(flatten([for body in var.cables : jsondecode(body).results[*].id])))]), true)
    error_message = "The pages of cables are not complete. Read all pages; if NetBox was changed meanwhile, plan again."
  }
}

variable "renames" {
  description = "New names by old names, for renamed devices: { OLD = \"NEW\" }. Without it, a renamed device is deleted and created."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "platforms" {
  description = "The properties of devices in eNMS by the slugs of platforms in NetBox, such as their drivers."
  type        = map(map(string))
  default = {
    cisco-ios   = { netmiko_driver = "cisco_ios", napalm_driver = "ios" }
    cisco-nx-os = { netmiko_driver = "cisco_nxos", napalm_driver = "nxos_ssh" }
    arista-eos  = { netmiko_driver = "arista_eos", napalm_driver = "eos" }
    junos       = { netmiko_driver = "juniper_junos", napalm_driver = "junos" }
  }
  nullable = false
}

variable "max_deletions" {
  description = "How many devices one apply may delete. More are an error of the plan."
  type        = number
  default     = 10
  nullable    = false
}

variable "backup_service" {
  description = "The service in eNMS that saves the configurations of a site every night. By default, no tasks are made."
  type        = string
  default     = null
}

variable "backup_crontab" {
  description = "When the service runs, as a crontab expression of eNMS."
  type        = string
  default     = "0 2 * * *"
  nullable    = false
}

variable "devices" {
  description = "The bodies of Nautobot's responses to query.graphql, in JSON."
  type        = list(string)

  validation {
    condition     = alltrue([for body in var.devices : try(length(jsondecode(body).errors) == 0, true)])
    error_message = "Nautobot reports errors, so its answer is not complete and nothing is changed: ${join(" ", distinct(flatten([for body in var.devices : try(jsondecode(body).errors[*].message, [])])))}"
  }

  validation {
    condition     = length(var.devices) > 0 && alltrue([for body in var.devices : can(jsondecode(body).data.devices[*].id) && try(jsondecode(body).data.devices != null, false)])
    error_message = "A response with devices is not an answer of Nautobot's GraphQL: there must be responses, each with data.devices and the fields of query.graphql."
  }

  validation {
    condition     = try(length(flatten([for body in var.devices : jsondecode(body).data.devices])) > 0, true)
    error_message = "Nautobot has no devices. An empty inventory would delete every device in eNMS: check the token, its rights and the filter of the query."
  }
}

variable "cables" {
  description = "The bodies of Nautobot's responses to query.graphql, in JSON, for the interfaces with cables: usually the same as devices. By default, no links are made."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for body in var.cables : try(length(jsondecode(body).errors) == 0, true)])
    error_message = "Nautobot reports errors, so its answer is not complete and nothing is changed: ${join(" ", distinct(flatten([for body in var.cables : try(jsondecode(body).errors[*].message, [])])))}"
  }

  validation {
    condition     = alltrue([for body in var.cables : can(jsondecode(body).data.interfaces[*].cable.id) && try(jsondecode(body).data.interfaces != null, false)])
    error_message = "A response with cables is not an answer of Nautobot's GraphQL: each has data.interfaces with the fields of query.graphql."
  }
}

variable "location_type" {
  description = "The type of the locations that are sites, such as \"Site\". A device belongs to the nearest location of this type, at most three levels above its own, or else to its own. By default, to its own."
  type        = string
  default     = null
}

variable "renames" {
  description = "New names by old names, for renamed devices: { OLD = \"NEW\" }. Without it, a renamed device is deleted and created."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "platforms" {
  description = "The properties of devices in eNMS, such as their drivers, by the network drivers of platforms in Nautobot, or by the names of platforms without one."
  type        = map(map(string))
  default = {
    cisco_ios     = { netmiko_driver = "cisco_ios", napalm_driver = "ios" }
    cisco_nxos    = { netmiko_driver = "cisco_nxos", napalm_driver = "nxos_ssh" }
    arista_eos    = { netmiko_driver = "arista_eos", napalm_driver = "eos" }
    juniper_junos = { netmiko_driver = "juniper_junos", napalm_driver = "junos" }
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

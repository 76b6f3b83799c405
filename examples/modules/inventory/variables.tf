variable "csv" {
  description = "The devices as CSV with a header, such as file(\"inventory.csv\"). The columns are properties of devices; name is required."
  type        = string

  validation {
    condition     = can(csvdecode(trimprefix(var.csv, "\uFEFF")))
    error_message = "The devices are not in CSV. There must be a header, each line must have as many cells as it, with commas between them, and no column may be there twice."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : can(row.name)])
    error_message = "The devices have no column name. Their columns, with commas between them, are: ${join(", ", try(keys(try(csvdecode(trimprefix(var.csv, "\uFEFF")), [])[0]), []))}."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name != "" && row.name == trimspace(row.name) if can(row.name)])
    error_message = "A device has no name, or one that begins or ends with a blank: ${join(", ", [for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : jsonencode(row) if try(row.name == "" || row.name != trimspace(row.name), false)])}."
  }

  validation {
    condition     = length([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row if can(row.name)]) == length(toset([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name if can(row.name)]))
    error_message = "Several devices have the same name: ${join(", ", [for name, rows in { for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name => row... if can(row.name) } : name if length(rows) > 1])}."
  }
}

variable "links" {
  description = "The links as CSV with a header. The columns are properties of links; name, source and destination are required."
  type        = string
  default     = null

  validation {
    condition     = var.links == null || can(csvdecode(trimprefix(var.links, "\uFEFF")))
    error_message = "The links are not in CSV. There must be a header, each line must have as many cells as it, with commas between them, and no column may be there twice."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : can(row.name)])
    error_message = "The links have no column name. Their columns, with commas between them, are: ${join(", ", try(keys(try(csvdecode(trimprefix(var.links, "\uFEFF")), [])[0]), []))}."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name != "" && row.name == trimspace(row.name) if can(row.name)])
    error_message = "A link has no name, or one that begins or ends with a blank: ${join(", ", [for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : jsonencode(row) if try(row.name == "" || row.name != trimspace(row.name), false)])}."
  }

  validation {
    condition     = length([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row if can(row.name)]) == length(toset([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name if can(row.name)]))
    error_message = "Several links have the same name: ${join(", ", [for name, rows in { for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name => row... if can(row.name) } : name if length(rows) > 1])}."
  }
}

variable "one_resource_each" {
  description = "Whether each device is a separate enms_device, and not an entry of enms_instances."
  type        = bool
  default     = false
  nullable    = false
}

variable "ignored_columns" {
  description = "Columns that are not sent to eNMS."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = !contains(var.ignored_columns, "name")
    error_message = "The column name cannot be ignored."
  }
}

variable "list_columns" {
  description = "Additional columns whose cells are lists of names, separated by semicolons, such as networks."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "site_column" {
  description = "The column with the site of each device, for the output by_site and for pools."
  type        = string
  default     = "location"
  nullable    = false
}

variable "pool_name" {
  description = "The name of a pool for each site, such as \"Site %s\", where %s is replaced by the site. By default, no pools are created."
  type        = string
  default     = null

  validation {
    condition     = var.pool_name == null || try(length(regexall("%s", var.pool_name)) == 1 && can(format(var.pool_name, "site")), false)
    error_message = "The name of the pools must hold %s once, for the site, as in \"Site %s\"."
  }
}

variable "update_pools" {
  description = "Whether eNMS computes the members of all pools by criteria after devices or links have changed."
  type        = bool
  default     = true
  nullable    = false
}

variable "renames" {
  description = "New names by old names, for renamed devices: { OLD = \"NEW\" }. With one_resource_each, use moved blocks instead."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "adopt_existing" {
  description = "Whether existing instances are taken over. Defaults to the setting of the provider."
  type        = bool
  default     = null
}

variable "deletion_policy" {
  description = "What happens to an instance whose row is taken out, and to all of them when the module is destroyed: delete, cascade or abandon. When omitted, as the provider says."
  type        = string
  default     = null
}

variable "max_deletions" {
  description = "How many devices of each type a plan may delete at most: more are an error of the plan, and so is a destruction of the module while the state holds more devices than this. It does not count links, nor devices with one_resource_each. When omitted, there is no limit."
  type        = number
  default     = null
}

locals {
  # A spreadsheet may begin a file with a byte order mark.
  device_rows = csvdecode(trimprefix(var.csv, "\uFEFF"))
  link_rows   = var.links == null ? [] : csvdecode(trimprefix(var.links, "\uFEFF"))

  device_columns = setsubtract(try(keys(local.device_rows[0]), []), setunion(["name"], var.ignored_columns))
  link_columns   = setsubtract(try(keys(local.link_rows[0]), []), setunion(["name"], var.ignored_columns))

  # The attributes of enms_device and enms_link: those with one value, and those with a
  # list of names, which stand in one cell with semicolons between them.
  device_texts = [
    "description", "icon", "ip_address", "latitude", "location", "longitude", "model", "napalm_driver", "netconf_driver",
    "netmiko_driver", "operating_system", "os_version", "port", "scrapli_driver", "subtype", "type", "vendor",
  ]
  device_lists = ["gateways", "owners", "rbac_configuration", "rbac_connect", "rbac_edit", "rbac_read", "rbac_target"]
  link_texts   = ["color", "description", "destination", "location", "model", "source", "subtype", "type", "vendor"]
  link_lists   = ["owners", "rbac_edit", "rbac_read"]

  # The columns by sort, told apart once and not for each of thousands of rows.
  columns = {
    device = {
      texts         = setintersection(local.device_columns, local.device_texts)
      lists         = setintersection(local.device_columns, local.device_lists)
      further       = setsubtract(local.device_columns, setunion(local.device_texts, local.device_lists, var.list_columns))
      further_lists = setsubtract(setintersection(local.device_columns, var.list_columns), setunion(local.device_texts, local.device_lists))
    }
    link = {
      texts         = setintersection(local.link_columns, local.link_texts)
      lists         = setintersection(local.link_columns, local.link_lists)
      further       = setsubtract(local.link_columns, setunion(local.link_texts, local.link_lists, var.list_columns))
      further_lists = setsubtract(setintersection(local.link_columns, var.list_columns), setunion(local.link_texts, local.link_lists))
    }
  }

  # What is sent of each row. An empty cell of an attribute is not configured, so that
  # eNMS's default holds; that of another column is an empty value.
  devices = { for row in local.device_rows : row.name => merge(
    { for column in local.columns.device.texts : column => row[column] if row[column] != "" },
    { for column in local.columns.device.lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) if row[column] != "" },
    { for column in local.columns.device.further : column => row[column] },
    { for column in local.columns.device.further_lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) },
  ) }
  links = { for row in local.link_rows : row.name => merge(
    { for column in local.columns.link.texts : column => row[column] if row[column] != "" },
    { for column in local.columns.link.lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) if row[column] != "" },
    { for column in local.columns.link.further : column => row[column] },
    { for column in local.columns.link.further_lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) },
  ) }

  # The names by type, and those by site.
  device_types = { for name, device in local.devices : try(device.type, "device") => name... }
  sites        = { for row in local.device_rows : row[var.site_column] => row.name... if try(row[var.site_column], "") != "" }

  # Gateways are made before the devices that name them.
  gateways = lookup(local.device_types, "gateway", [])
}

# One resource for all devices of a type.

resource "enms_instances" "gateways" {
  count = !var.one_resource_each && length(local.gateways) > 0 ? 1 : 0

  type            = "gateway"
  instances       = { for name in local.gateways : name => local.devices[name] }
  renames         = { for old, name in var.renames : old => name if contains(local.gateways, name) }
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
}

resource "enms_instances" "devices" {
  for_each = { for type, names in local.device_types : type => names if !var.one_resource_each && type != "gateway" }

  type            = each.key
  instances       = { for name in each.value : name => local.devices[name] }
  renames         = { for old, name in var.renames : old => name if contains(each.value, name) }
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [enms_instances.gateways]
}

# A resource for each link, so that Terraform deletes a link before the device at its
# end: eNMS would delete it along, which the provider refuses.
resource "enms_link" "link" {
  for_each = local.links

  name        = each.key
  type        = try(each.value.type, null)
  source      = try(each.value.source, null)
  destination = try(each.value.destination, null)
  description = try(each.value.description, null)
  color       = try(each.value.color, null)
  subtype     = try(each.value.subtype, null)
  model       = try(each.value.model, null)
  location    = try(each.value.location, null)
  vendor      = try(each.value.vendor, null)
  owners      = try(each.value.owners, null)
  rbac_edit   = try(each.value.rbac_edit, null)
  rbac_read   = try(each.value.rbac_read, null)

  properties = { for column in setunion(local.columns.link.further, local.columns.link.further_lists) : column => each.value[column] }

  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [enms_instances.gateways, enms_instances.devices, enms_device.gateway, enms_device.device]
}

# Pools by hand hold exactly the devices of the file, whatever column they are of.
resource "enms_pool" "site" {
  for_each = { for site, names in local.sites : site => names if var.pool_name != null }

  name            = format(var.pool_name, each.key)
  devices         = each.value
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [enms_instances.gateways, enms_instances.devices, enms_device.gateway, enms_device.device]
}

# eNMS does not put devices and links that are written over REST into the pools that
# choose them by criteria: this has it done after all of them.
resource "enms_pools_update" "pools" {
  count = var.update_pools ? 1 : 0

  triggers = {
    devices = sha256(jsonencode(local.devices))
    links   = sha256(jsonencode(local.links))
  }

  depends_on = [
    enms_instances.gateways, enms_instances.devices,
    enms_device.gateway, enms_device.device, enms_link.link,
  ]
}

locals {
  # A spreadsheet may begin a file with a byte order mark.
  rows = {
    device = csvdecode(trimprefix(var.csv, "\uFEFF"))
    link   = var.links == null ? [] : csvdecode(trimprefix(var.links, "\uFEFF"))
  }

  # The attributes of enms_device and enms_link: those with one value, and those with a
  # list of names, which stand in one cell with semicolons between them.
  texts = {
    device = [
      "description", "icon", "ip_address", "latitude", "location", "longitude", "model", "napalm_driver", "netconf_driver",
      "netmiko_driver", "operating_system", "os_version", "port", "scrapli_driver", "subtype", "type", "vendor",
    ]
    link = ["color", "description", "destination", "location", "model", "source", "subtype", "type", "vendor"]
  }
  lists = {
    device = ["gateways", "owners", "rbac_configuration", "rbac_connect", "rbac_edit", "rbac_read", "rbac_target"]
    link   = ["owners", "rbac_edit", "rbac_read"]
  }

  # The columns by sort, told apart once and not for each of thousands of rows.
  all_columns = { for kind, rows in local.rows : kind => setsubtract(try(keys(rows[0]), []), setunion(["name"], var.ignored_columns)) }
  columns = { for kind, all in local.all_columns : kind => {
    texts         = setintersection(all, local.texts[kind])
    lists         = setintersection(all, local.lists[kind])
    further       = setsubtract(all, setunion(local.texts[kind], local.lists[kind], var.list_columns))
    further_lists = setsubtract(setintersection(all, var.list_columns), setunion(local.texts[kind], local.lists[kind]))
  } }

  # What is sent of each row. An empty cell of an attribute is not configured, so that
  # eNMS's default holds; that of another column is an empty value.
  instances = { for kind, rows in local.rows : kind => { for row in rows : row.name => merge(
    { for column in local.columns[kind].texts : column => row[column] if row[column] != "" },
    { for column in local.columns[kind].lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) if row[column] != "" },
    { for column in local.columns[kind].further : column => row[column] },
    { for column in local.columns[kind].further_lists : column => compact([for name in split(";", row[column]) : trimspace(name)]) },
  ) } }
  devices = local.instances.device
  links   = local.instances.link

  # The names by type, and those by site.
  device_types = { for name, device in local.devices : try(device.type, "device") => name... }
  sites        = { for row in local.rows.device : row[var.site_column] => row.name... if try(row[var.site_column], "") != "" }

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
  max_deletions   = var.max_deletions
}

resource "enms_instances" "devices" {
  for_each = { for type, names in local.device_types : type => names if !var.one_resource_each && type != "gateway" }

  type            = each.key
  instances       = { for name in each.value : name => local.devices[name] }
  renames         = { for old, name in var.renames : old => name if contains(each.value, name) }
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

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

locals {
  folders = ["devices", "links", "pools", "credentials", "services", "workflows", "tasks"]
  paths   = fileset(var.directory, "{${join(",", local.folders)}}/**/*.{yaml,yml}")

  # A file holds an object, or a list of objects.
  files     = { for path in local.paths : path => yamldecode(file("${var.directory}/${path}")) }
  documents = { for path, content in local.files : path => flatten([content]) }

  # The texts of files replace the keys that name them, in objects and in steps.
  texts = { for path, objects in local.documents : path => [for object in objects : merge(
    { for key, value in object : key => value if key != "steps" && !endswith(key, "_from_file") },
    { for key, value in object : trimsuffix(key, "_from_file") => file("${var.directory}/${dirname(path)}/${value}") if endswith(key, "_from_file") },
  )] }
  steps_of = { for path, objects in local.documents : path => { for name, step in try(objects[0].steps, {}) : name => merge(
    { for key, value in step : key => value if !endswith(key, "_from_file") },
    { for key, value in step : trimsuffix(key, "_from_file") => file("${var.directory}/${dirname(path)}/${value}") if endswith(key, "_from_file") },
  ) } if startswith(path, "workflows/") }

  # The defaults of each folder: those of the folders above it, and its own, which take precedence.
  own_defaults = { for path, objects in local.texts : dirname(path) => try(objects[0], {}) if local.is_defaults[path] }
  is_defaults  = { for path in local.paths : path => contains(["_defaults.yaml", "_defaults.yml"], basename(path)) }
  defaults = { for folder in distinct([for path in local.paths : dirname(path)]) : folder => merge({}, [
    for depth in range(length(split("/", folder))) : try(local.own_defaults[join("/", slice(split("/", folder), 0, depth + 1))], {})
  ]...) }

  objects = flatten([for path, objects in local.texts : [for object in objects : {
    folder = split("/", path)[0]
    path   = path
    object = merge(local.defaults[dirname(path)], object)
  }] if !local.is_defaults[path]])
  nameless = distinct([for o in local.objects : o.path if try(o.object.name == "", true)])

  # What is sent of each object, by folder and name. null is not configured, not even by the defaults.
  own_keys = { workflows = ["start", "positions", "labels"] }
  entries = { for folder in local.folders : folder => { for o in local.objects : o.object.name =>
    { for key, value in o.object : key => value if value != null && !contains(concat(["name", "type"], lookup(local.own_keys, folder, [])), key) }
    if o.folder == folder && try(o.object.name != "", false)
  } }
  types = { for folder in local.folders : folder => { for o in local.objects :
    try(coalesce(o.object.type), trimsuffix(folder, "s")) => o.object.name... if o.folder == folder && try(o.object.name != "", false)
  } }
  type_of = { for folder in local.folders : folder => merge([for type, names in local.types[folder] : { for name in names : name => type }]...) }

  # Gateways are created before the devices that name them.
  gateways = lookup(local.types.devices, "gateway", [])
}

locals {
  # The workflows by their files, so that a workflow with another name keeps its steps.
  workflows = { for o in local.objects : o.path => {
    name  = o.object.name
    start = try([for step in o.object.start : step], null)
    steps = local.steps_of[o.path]
    # The full names of services by what the files call them.
    names = merge({ Start = "[Shared] Start", End = "[Shared] End" }, {
      for step in keys(local.steps_of[o.path]) : step => startswith(step, "[") ? step : "[${o.object.name}] ${step}"
    })
  } if o.folder == "workflows" && try(o.object.name != "", false) }

  # A step without a type is a service of another file: the workflow has only its edges.
  steps = merge([for path, workflow in local.workflows : {
    for type in distinct([for step in values(workflow.steps) : step.type if try(step.type != null, false)]) : "${path}/${type}" => {
      path = path
      type = type
      entries = { for name, step in workflow.steps : workflow.names[name] => merge(
        { workflows = [workflow.name] },
        { for key, value in step : key => value if value != null && !contains(["type", "on_success", "on_failure"], key) },
      ) if try(step.type == type, false) }
    }
  }]...)

  # What follows each step, and the steps that no other step leads to.
  targets = { for path, workflow in local.workflows : path => flatten([for name, step in workflow.steps : [
    for subtype in ["success", "failure"] : [for target in try([for t in step["on_${subtype}"] : t], []) : { source = name, subtype = subtype, destination = target }]
  ]]) }
  first = { for path, workflow in local.workflows : path => setsubtract(keys(workflow.steps), [for edge in local.targets[path] : edge.destination if edge.source != edge.destination]) }
  starts = { for path, workflow in local.workflows : path =>
    workflow.start != null ? workflow.start : length(local.first[path]) == 1 ? tolist(local.first[path]) : []
  }
  edges = { for path, workflow in local.workflows : path => {
    for edge in concat([for name in local.starts[path] : { source = "Start", subtype = "success", destination = name }], local.targets[path]) :
    "${path}: ${edge.source} -> ${edge.destination} (${edge.subtype})" => {
      workflow    = workflow.name
      source      = try(workflow.names[edge.source], edge.source)
      destination = try(workflow.names[edge.destination], edge.destination)
      subtype     = edge.subtype
    }
  } }

  # Terraform evaluates for_each once for each instance: these are computed before.
  all_edges = merge(values(local.edges)...)

  # What is drawn where: as the file says, or else where the edges lead. YAML reads a key y as true, so that files have
  # pairs of coordinates.
  layouts = { for o in local.objects : o.path => {
    positions = (
      can(keys(o.object.positions)) ? tomap({ for step, at in o.object.positions :
        lookup(local.workflows[o.path].names, step, startswith(step, "[") ? step : "[${o.object.name}] ${step}") => { x = at[0], y = at[1] }
      }) :
      length(local.edges[o.path]) > 0 ? provider::enms::workflow_layout(values(local.edges[o.path])) : tomap({})
    )
    labels = { for key, label in try({ for key, label in o.object.labels : key => label }, {}) : key => merge(
      { for name, value in label : name => value if name != "position" }, { x = label.position[0], y = label.position[1] },
    ) }
  } if contains(keys(local.workflows), o.path) }
  drawn = { for path, layout in local.layouts : path => layout if length(layout.positions) + length(layout.labels) > 0 }

  # Problems are told in the names of steps.
  unknown = { for path, workflow in local.workflows : path => distinct([
    for name in concat([for edge in local.targets[path] : edge.destination], local.starts[path]) : name if !contains(keys(workflow.names), name)
  ]) }
  problems = { for path, workflow in local.workflows : path =>
    length(workflow.steps) == 0 ? [] :
    length(local.unknown[path]) > 0 ? ["There are no such steps: ${join(", ", local.unknown[path])}."] :
    length(local.starts[path]) == 0 ? ["Write the steps with which the workflow begins in start: other steps lead to each step, or to all but several of them."] :
    provider::enms::workflow_problems(keys(workflow.steps), [for edge in concat([for name in local.starts[path] : { source = "Start", subtype = "success", destination = name }], local.targets[path]) : {
      source      = edge.source == "Start" ? "[Shared] Start" : edge.source
      destination = edge.destination == "End" ? "[Shared] End" : edge.destination
    }])
  }
}

# Each resource comes after those that its entries may name. No attribute of an entry is named
# here: the entries have those of the files. renames is null if nothing is renamed, as in the
# state of what was imported.

resource "enms_instances" "gateways" {
  count = length(local.gateways) > 0 ? 1 : 0

  type            = "gateway"
  instances       = { for name in local.gateways : name => local.entries.devices[name] }
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "devices", {}) : old => name if contains(local.gateways, name) }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions
}

resource "enms_instances" "devices" {
  for_each = { for type, names in local.types.devices : type => names if type != "gateway" }

  type            = each.key
  instances       = { for name in each.value : name => local.entries.devices[name] }
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "devices", {}) : old => name if contains(each.value, name) }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  depends_on = [enms_instances.gateways]
}

# A resource for each link and each task, and resources for the steps of each workflow:
# Terraform deletes them before the device, service or workflow, which it could not do with
# entries of one resource.
resource "enms_instances" "link" {
  for_each = local.entries.links

  type            = local.type_of.links[each.key]
  instances       = { (each.key) = each.value }
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "links", {}) : old => name if name == each.key }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [enms_instances.devices]
}

resource "enms_instances" "pools" {
  count = length(local.entries.pools) > 0 ? 1 : 0

  type            = "pool"
  instances       = local.entries.pools
  renames         = lookup(var.renames, "pools", null)
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  depends_on = [enms_instances.devices, local.links_created]
}

# eNMS does not put devices and links that are written over REST into the pools that
# choose them by criteria: this has it done after all of them.
resource "enms_pools_update" "pools" {
  count = var.update_pools ? 1 : 0

  triggers = {
    devices = sha256(jsonencode(local.entries.devices))
    links   = sha256(jsonencode(local.entries.links))
  }

  depends_on = [enms_instances.pools]
}

resource "enms_instances" "credentials" {
  count = length(local.entries.credentials) > 0 ? 1 : 0

  type            = "credential"
  instances       = local.entries.credentials
  renames         = lookup(var.renames, "credentials", null)
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  depends_on = [enms_instances.pools]
}

resource "enms_instances" "workflows" {
  count = length(local.entries.workflows) > 0 ? 1 : 0

  type            = "workflow"
  instances       = local.entries.workflows
  renames         = lookup(var.renames, "workflows", null)
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  lifecycle {
    precondition {
      condition     = length(flatten(values(local.problems))) == 0
      error_message = join("\n", flatten([for path, problems in local.problems : [for problem in problems : "${path}: ${problem}"]]))
    }
  }

  depends_on = [enms_instances.credentials]
}

resource "enms_instances" "services" {
  for_each = local.types.services

  type            = each.key
  instances       = { for name in each.value : name => local.entries.services[name] }
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "services", {}) : old => name if contains(each.value, name) }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  depends_on = [enms_instances.workflows]
}

resource "enms_instances" "steps" {
  for_each = local.steps

  type            = each.value.type
  instances       = each.value.entries
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "services", {}) : old => name if contains(keys(each.value.entries), name) }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
  max_deletions   = var.max_deletions

  depends_on = [enms_instances.workflows]
}

# One node of Terraform's graph between hundreds of resources on each side, which would be
# connected one by one.
locals {
  links_created = length(enms_instances.link) >= 0
  steps_created = length(enms_instances.steps) + length(enms_instances.services) >= 0
  edges_created = length(enms_workflow_edge.edge) >= 0
}

# Edges are told apart by what they connect, whatever their names are in eNMS.
resource "enms_workflow_edge" "edge" {
  for_each = local.all_edges

  workflow        = each.value.workflow
  source          = each.value.source
  destination     = each.value.destination
  subtype         = each.value.subtype
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [local.steps_created]
}

resource "enms_workflow_layout" "workflow" {
  for_each = local.drawn

  workflow  = local.workflows[each.key].name
  positions = length(each.value.positions) > 0 ? each.value.positions : null
  labels    = length(each.value.labels) > 0 ? each.value.labels : null

  depends_on = [local.edges_created]
}

resource "enms_instances" "task" {
  for_each = local.entries.tasks

  type            = "task"
  instances       = { (each.key) = each.value }
  renames         = one([for renames in [{ for old, name in lookup(var.renames, "tasks", {}) : old => name if name == each.key }] : renames if length(renames) > 0])
  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [local.edges_created, enms_pools_update.pools]
}

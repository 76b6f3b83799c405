# Describes a pull request: what has changed on the development server since the base of the
# branch, by object with author and time, as diagrams, and what needs a person. capture.sh
# applies it in a directory of its own, beside the files that it reads.

terraform {
  required_version = ">= 1.8"

  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "directory" {
  description = "The directory with the records and reports of both versions, and with stat.txt."
  type        = string
}

locals {
  records = { for side in ["before", "after"] : side => jsondecode(file("${var.directory}/${side}-.enms-export.json")) }
  reports = { for side in ["before", "after"] : side => jsondecode(file("${var.directory}/${side}-report.json")) }

  # What the code has of each block, row and text, as digests, without names. A block is "MODULE: resource TYPE LABEL".
  written = { for side, record in local.records : side => {
    for w in try(record.written, []) : replace(startswith(w.block, "resource ") ? ": ${w.block}" : w.block, "/^modules\\//", "") =>
    { for path, digest in w.values : path => digest if !contains(["name", "scoped_name"], path) }
  } }

  # The objects of both versions by their addresses, which stay when an object is renamed.
  objects = { for side, record in local.records : side => {
    for o in try(record.objects, []) : o.address => {
      kind = o.kind
      name = o.name
      own  = replace(o.name, "/^\\[.*\\] /", "")
      ends = try(o.ends, [])
      content = concat(
        [for id in [replace(o.address, "/^(?:module\\.([^.]+)\\.)?(\\w+)\\.(\\w+)$/", "$1: resource $2 $3"), try("row ${o.table} ${o.name}", "")] : lookup(local.written[side], id, null)],
        !can(o.texts) ? [] : [for id, values in local.written[side] : values if startswith(id, "file ${o.texts}")],
      )
    }
  } }

  # What eNMS knows of authors: edges, tasks, users and layouts have none.
  dated = ["service", "device", "link", "pool", "credential"]
  types = toset([for o in local.told : o.kind if contains(local.dated, o.kind)])
  authors = merge([for type, found in data.enms_instances.written : {
    for i in found.instances : "${type} ${i.name}" => i.properties
  }]...)

  # What diagrams show.
  drawings = ["workflow_edge", "enms_workflow_layout"]

  # The objects that have changed. The services of a renamed workflow have another name only
  # before the bracket: they are not told.
  told = concat(
    [for address, o in local.objects.after : merge(o, {
      address = address
      change = (
        !contains(keys(local.objects.before), address) ? "new" :
        o.own != local.objects.before[address].own ? "renamed" : "changed"
      )
      }) if !contains(local.drawings, o.kind) && (!contains(keys(local.objects.before), address) ||
    try(o.own != local.objects.before[address].own || o.content != local.objects.before[address].content, true))],
    [for address, o in local.objects.before : merge(o, { address = address, change = "gone" })
    if !contains(local.drawings, o.kind) && !contains(keys(local.objects.after), address)],
  )

  # The values of modules that have changed, by the calls of modules.
  values = { for id, values in local.written.after : replace(id, "module ", "module.") =>
    [for path, digest in values : path if lookup(lookup(local.written.before, id, {}), path, digest) != digest]
  if startswith(id, "module ") }

  # Texts of the server are shown as code, where nothing is a link, a mention or an image: a span of
  # one line, in which a bar ends no cell.
  findings = flatten([for found in values(local.news) : [for f in found : [try(tostring(f.at), ""), try(tostring(f.what), ""), jsonencode(f)]]])
  texts    = flatten([[for side in values(local.objects) : [for o in side : [o.name, o.own]]], [for properties in values(local.authors) : [properties.last_modified_by]], local.tops, local.findings, keys(local.values), values(local.values)])
  code = { for text in distinct([for t in local.texts : t if t != null]) : text =>
  "`${trimspace(replace(replace(replace(text, "`", "'"), "/[[:cntrl:]\\x{2028}\\x{2029}]+/", " "), "|", "\\|"))}`" }

  rows = concat([for o in local.told : join(" | ", [
    local.code[o.name],
    o.kind,
    o.change == "renamed" ? "renamed, was ${local.code[local.objects.before[o.address].own]}" : o.change,
    o.change == "gone" ? "" : try(local.code[local.authors["${o.kind} ${o.name}"].last_modified_by], ""),
    o.change == "gone" ? "" : try(substr(local.authors["${o.kind} ${o.name}"].last_modified, 0, 16), ""),
    ])], [for call, paths in local.values :
    "${local.code[call]} | values | changed: ${join(", ", [for path in paths : local.code[path]])} |  | " if length(paths) > 0
  ])

  # The edges of both versions; those before have the names of today, so that what was only
  # renamed is amber, and not red and green.
  renamed = { for address, o in local.objects.before : o.name => local.objects.after[address].name
  if o.kind == "service" && contains(keys(local.objects.after), address) }
  edges = { for side, objects in local.objects : side => [
    for o in objects : {
      subtype     = o.ends[0]
      source      = side == "before" ? lookup(local.renamed, o.ends[1], o.ends[1]) : o.ends[1]
      destination = side == "before" ? lookup(local.renamed, o.ends[2], o.ends[2]) : o.ends[2]
      workflow    = side == "before" ? lookup(local.renamed, o.ends[3], o.ends[3]) : o.ends[3]
    } if o.kind == "workflow_edge"
  ] }
  edited = [for o in local.told : o.name if o.kind == "service" && o.change != "new" && o.change != "gone"]

  # A diagram for each workflow that is in no other one, if it has changed.
  tops = distinct([for e in concat(local.edges.after, local.edges.before) : try(regex("^\\[+([^\\]]*)\\]", e.workflow)[0], e.workflow)])
  diagrams = { for top in local.tops : top => provider::enms::workflow_diagram(
    [for e in local.edges.after : e if e.workflow == top || can(regex("^\\[", e.workflow)) && startswith(trimprefix(trimprefix(trimprefix(e.workflow, "["), "["), "["), "${top}]")],
    [for e in local.edges.before : e if e.workflow == top || can(regex("^\\[", e.workflow)) && startswith(trimprefix(trimprefix(trimprefix(e.workflow, "["), "["), "["), "${top}]")],
    local.edited,
  ) }
  drawn = { for top, diagram in local.diagrams : top => diagram if strcontains(diagram, "classDef ") || strcontains(diagram, "linkStyle ") }

  # What the report of this export says, and that of the base did not.
  person = {
    secrets                = "Secrets that production needs"
    expected_on_the_server = "Production must have"
    kept                   = "Production must have, or gets a default of the provider"
    to_be_checked          = "Secrets or names of objects in code"
    not_updated            = "Changed on the server, but left alone in the code"
    left_out               = "Not exported"
  }
  news = { for key, title in local.person : key => [
    for finding in try(local.reports.after[key], []) : finding if !contains([for old in try(local.reports.before[key], []) : jsonencode(old)], jsonencode(finding))
  ] }
  # What is found at several places is said once, with at most five of the places.
  places = { for key, found in local.news : key => { for f in found : try(f.what, jsonencode(f)) => try(local.code[f.at], "")... } }
  bullets = { for key, places in local.places : key => [for what, all in places : "* ${join("", [
    join(", ", slice(compact(all), 0, min(5, length(compact(all))))),
    length(all) <= 5 ? "" : " and ${length(all) - 5} more",
    length(compact(all)) == 0 ? "" : ": ",
    local.code[what],
  ])}"] }
  needed  = { for side, report in local.reports : side => flatten([for m in try(report.modules, []) : [for v in m.variables_without_default : "`${v}` of `module.${m.module}`"]]) }
  missing = [for v in local.needed.after : v if !contains(local.needed.before, v)]
}

# One search for each type.
data "enms_instances" "written" {
  for_each   = local.types
  type       = each.key
  properties = ["last_modified", "last_modified_by"]
}

output "markdown" {
  description = "The description of the pull request."
  value = join("\n", concat(
    ["What has changed on the development server:", ""],
    length(local.rows) == 0 ? ["No object has changed but edges and positions."] : concat(
      ["Object | Type | Change | Last written by | At", "--- | --- | --- | --- | ---"], local.rows
    ),
    flatten([for top, diagram in local.drawn : ["", "### ${local.code[top]}", "", "```mermaid", trimspace(diagram), "```"]]),
    length(local.drawn) == 0 ? [] : ["", "Green is added, red is removed, amber is changed."],
    length(local.missing) == 0 && alltrue([for found in local.news : length(found) == 0]) ? [] : ["", "### Needs a person"],
    length(local.missing) == 0 ? [] : concat(["", "Set in the configuration of production:", ""], [for v in local.missing : "* ${v}"]),
    flatten([for key, found in local.news : length(found) == 0 ? [] : concat(
      ["", "${local.person[key]}:", ""],
      slice(local.bullets[key], 0, min(20, length(local.bullets[key]))),
      length(local.bullets[key]) <= 20 ? [] : ["* and ${length(local.bullets[key]) - 20} more: see `report.json`"],
    )]),
    ["", "```", chomp(file("${var.directory}/stat.txt")), "```", ""],
  ))
}

# Tells what a plan would change: for people in `text`, for programs in `json`. It needs
# no provider, and drift-check.sh applies it in a directory of its own.

terraform {
  required_version = ">= 1.5"
}

variable "plan" {
  description = "The file with what `terraform show -json` says of a plan."
  type        = string
}

variable "authors" {
  description = "The file with the last author of each instance, by its address."
  type        = string
}

locals {
  plan    = jsondecode(file(var.plan))
  authors = jsondecode(file(var.authors))

  # What happens to an instance, by what Terraform would do.
  words = {
    "update"        = "differs"
    "create"        = "is missing in eNMS"
    "delete"        = "is not in the configuration"
    "delete,create" = "differs, and would have to be replaced"
    "create,delete" = "differs, and would have to be replaced"
    "forget"        = "would be forgotten, and stay in eNMS"
    "import"        = "is not in the state yet"
    "move"          = "has another address in the state"
  }

  told = [
    for change in try(local.plan.resource_changes, []) : merge(change, {
      did = (
        join(",", change.change.actions) != "no-op" ? join(",", change.change.actions) :
        can(change.change.importing) ? "import" :
        can(change.previous_address) ? "move" :
        "no-op"
      )
    }) if change.mode == "managed"
  ]

  # The keys of enms_instances whose entries count one by one: not where all of them are
  # sensitive, unknown, or only imported, moved or forgotten.
  entries = {
    for change in local.told : change.address => setunion(try(keys(change.change.before.instances), []), try(keys(change.change.after.instances), []))
    if change.type == "enms_instances"
    && contains(["update", "create", "delete", "delete,create", "create,delete"], change.did)
    && !anytrue([for side in ["before_sensitive", "after_sensitive", "after_unknown"] : try(tobool(change.change[side].instances), tobool(change.change[side]), false)])
  }

  # What differs: resources, and entries in their place.
  changes = flatten([for change in local.told : concat(
    [for whole in [change] : {
      address = whole.address
      type    = whole.type
      name = anytrue([
        for side in ["before_sensitive", "after_sensitive"] : try(tobool(whole.change[side].name), tobool(whole.change[side]), false)
      ]) ? null : try(whole.change.before.name, whole.change.after.name, null)
      entry = false
      did   = whole.did
      change = {
        for side in ["before", "after", "before_sensitive", "after_sensitive", "after_unknown"] : side => try(
          { for key, value in whole.change[side] : key => value if key != "instances" || !contains(keys(local.entries), whole.address) },
          whole.change[side],
          null
        )
      }
      } if !contains(keys(local.entries), whole.address) || length(try(local.entries[whole.address], [])) == 0 || (
      strcontains(whole.did, "update")
      && jsonencode(merge(try(whole.change.before, {}), { instances = null })) != jsonencode(merge(try(whole.change.after, {}), { instances = null }))
    )],
    [for key in try(local.entries[change.address], []) : {
      address = "${change.address}.instances[${jsonencode(key)}]"
      type    = change.type
      name    = key
      entry   = true
      did = (
        !can(change.change.before.instances[key]) ? "create" :
        !can(change.change.after.instances[key]) ? "delete" :
        change.did == "update" && jsonencode(change.change.before.instances[key]) == jsonencode(change.change.after.instances[key]) ? "no-op" :
        change.did
      )
      change = merge(
        { for side in ["before", "before_sensitive", "after_sensitive"] : side => try(change.change[side].instances[key], null) },
        { after_unknown = try(change.change.after_unknown.instances[key], {}) },
        # The name that somebody gave an instance stands in its entry, in which there is none.
        { after = merge(can(change.change.before.instances[key].name) ? { name = key } : {}, try(change.change.after.instances[key], {})) },
      )
    }],
  )])

  # Of these, what counts.
  counted = [for change in local.changes : change if contains(keys(local.words), change.did)]

  # The attributes of which everything is sensitive, the keys of an object included.
  closed = {
    for change in local.counted : change.address => flatten([
      for side in ["before_sensitive", "after_sensitive"] : try([for key, value in change.change[side] : key if jsonencode(value) == "true"], [])
    ])
  }

  # The attributes of each instance by their path, as JSON texts, so that values of every
  # type compare. The keys of an object, such as properties, count as attributes.
  sides = {
    for change in local.counted : change.address => {
      for side in ["before", "after"] : side => merge(
        try({ for key, value in change.change[side] : key => jsonencode(value) if !can(keys(value)) || contains(local.closed[change.address], key) }, {}),
        try([for key, value in change.change[side] : { for inner, deep in value : "${key}.${inner}" => jsonencode(deep) } if can(keys(value)) && !contains(local.closed[change.address], key)], [])...
      )
    }
  }

  # The same paths, each with what Terraform keeps secret about it.
  secret = {
    for change in local.counted : change.address => {
      for path in setunion(keys(local.sides[change.address].before), keys(local.sides[change.address].after)) : path => anytrue([
        for side in ["before_sensitive", "after_sensitive"] : strcontains(jsonencode(try(
          change.change[side][split(".", path)[0]][join(".", slice(split(".", path), 1, length(split(".", path))))],
          change.change[side][split(".", path)[0]],
          tobool(change.change[side]),
          false,
        )), "true")
      ])
    }
  }

  # What only eNMS can tell after an apply is not wanted by anybody.
  unknown = {
    for change in local.counted : change.address => flatten([
      for key, value in try(change.change.after_unknown, {}) : jsonencode(value) == "true" ? [key] : try([for inner, deep in value : "${key}.${inner}" if strcontains(jsonencode(deep), "true")], [])
    ])
  }

  instances = [
    for change in local.counted : {
      address = change.address
      type    = change.type
      name    = change.name
      entry   = change.entry
      finding = local.words[change.did]
      written = try(local.authors[change.address], null)
      attributes = [
        for path, hidden in local.secret[change.address] : {
          attribute = path
          sensitive = hidden
          enms      = hidden ? null : jsondecode(lookup(local.sides[change.address].before, path, "null"))
          wanted    = hidden ? null : jsondecode(lookup(local.sides[change.address].after, path, "null"))
        }
        if !contains(["create", "delete", "forget"], change.did)
        && !contains(local.unknown[change.address], split(".", path)[0]) && !contains(local.unknown[change.address], path)
        && lookup(local.sides[change.address].before, path, "null") != lookup(local.sides[change.address].after, path, "null")
      ]
    }
  ]

  outputs = [for name, change in try(local.plan.output_changes, {}) : name if try(change.actions, ["no-op"]) != ["no-op"]]

  lines = flatten([
    [for instance in local.instances : concat(
      ["* ${instance.address}${instance.entry ? "" : try(" \"${instance.name}\"", "")} ${instance.finding}${try(" (last written by ${instance.written.terraform ? "Terraform's user" : jsonencode(instance.written.by)} at ${instance.written.at})", "")}"],
      [for it in instance.attributes : it.sensitive ?
        "    ${it.attribute}: (sensitive)" :
        "    ${it.attribute}: eNMS has ${local.short[jsonencode(it.enms)]}, wanted is ${local.short[jsonencode(it.wanted)]}"
      ],
    )],
    [for name in local.outputs : "* output ${name} differs"],
  ])

  # Long values are cut in the text, and whole in the JSON.
  short = {
    for value in distinct(flatten([for instance in local.instances : [for it in instance.attributes : [jsonencode(it.enms), jsonencode(it.wanted)]]])) :
    value => length(value) <= 200 ? value : "${substr(value, 0, 200)}… (${length(value)} characters)"
  }

  headline = (
    length(local.lines) == 0 ? "eNMS is as configured." :
    length(local.instances) == 0 ? "eNMS is as configured, but outputs differ." :
    length(local.instances) == 1 ? "eNMS is not as configured: 1 instance." :
    "eNMS is not as configured: ${length(local.instances)} instances."
  )

  text = join("\n", concat([local.headline], local.lines))

  # The outputs that are diagrams: those that the function workflow_diagram returned, in which nothing
  # is a setting of Mermaid (%%).
  diagrams = {
    for name, output in try(local.plan.planned_values.outputs, {}) : name => output.value
    if length(local.lines) > 0 && !try(output.sensitive, true) && try(startswith(output.value, "flowchart ") && !strcontains(output.value, "%%"), false)
  }

  # A fence longer than any run of backticks in the text.
  fence = { for text in concat([local.text], values(local.diagrams)) : text => join("", [for i in range(max(2, [for run in regexall("`+", text) : length(run)]...) + 1) : "`"]) }

  markdown = join("\n", concat(
    [local.fence[local.text], local.text, local.fence[local.text], ""],
    flatten([for name, diagram in local.diagrams : ["The output ${name}, as configured:", "", "${local.fence[diagram]}mermaid", trimspace(diagram), local.fence[diagram], ""]]),
  ))
}

output "text" {
  description = "A line for each instance, which may be an entry of enms_instances, and one for each of its attributes."
  value       = local.text
}

output "markdown" {
  description = "The text for a page of GitHub or GitLab, with the outputs that are diagrams of workflows."
  value       = local.markdown
}

output "json" {
  description = "The same as a JSON object. It has the text, too, where webhooks of chats look for it."
  value       = jsonencode({ drift = length(local.lines) > 0, instances = [for it in local.instances : { for key, value in it : key => value if key != "entry" }], outputs = local.outputs, text = local.text })
}

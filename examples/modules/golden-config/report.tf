# The report in Markdown, and the commands of a remediation.

locals {
  counts = { for status in ["compliant", "differs", "excepted", "expired", "unknown"] : status => length([for cell in local.cells : cell if cell.status == status]) }

  # What stands in a table: nothing that ends a cell, a row or a block of code.
  safe = { for s in distinct(concat(keys(var.devices), keys(var.features), flatten([for e in var.exceptions : values(e)]))) :
    s => replace(replace(s, "/[|<>\\[\\]`*_\\\\]/", "\\$0"), "/[[:cntrl:]]+/", " ")
  }

  marks = { compliant = "compliant", differs = "**differs**", expired = "**differs**, exception ended", excepted = "excepted", unknown = "unknown" }

  # What a table says of a device and a feature.
  words = { for cell in local.cells : "${cell.device}/${cell.feature}" => "${local.marks[cell.status]}${cell.skipped == 0 ? "" : ", ${cell.skipped} not compared"}" }

  table = concat(
    ["| Device | ${join(" | ", [for feature in keys(var.features) : local.safe[feature]])} | Backup |", "|---|${join("", [for feature in keys(var.features) : "---|"])}---|"],
    [for device, row in local.report : "| ${local.safe[device]} | ${join(" | ", [for feature in keys(var.features) : lookup(local.words, "${device}/${feature}", "")])} | ${row.backup.fetched == null ? "never" : row.backup.failed != null ? "failed" : "ok"} |"],
  )

  excepted = length(var.exceptions) == 0 ? [] : concat(
    ["", "## Exceptions", "", "| Device | Feature | Owner | Until | Reason | State |", "|---|---|---|---|---|---|"],
    [for e in var.exceptions : "| ${local.safe[e.device]} | ${local.safe[e.feature]} | ${local.safe[e.owner]} | ${e.until} | ${local.safe[e.reason]} | ${try(local.uses[local.report[e.device].features[e.feature].status], "")} |"],
  )
  uses = { compliant = "no longer needed", excepted = "valid", expired = "**ended**", unknown = "" }

  details = flatten([for cell in local.cells : cell.status == "compliant" || length(cell.lines) == 0 ? [] : concat(
    ["", "## ${local.safe[cell.device]}: ${local.safe[cell.feature]}", "", "```diff"],
    [for line in cell.lines : replace(line, "```", "'''")],
    ["```"],
  )])

  markdown = join("\n", concat(
    ["# Golden configuration", "", join(", ", [for status in ["compliant", "differs", "expired", "excepted", "unknown"] : "${local.counts[status]} ${status}" if local.counts[status] > 0]), ""],
    local.table, local.excepted, local.details, [""],
  ))

  # The lines that differ, each with its depth.
  parsed = [for cell in local.open : merge(cell, { lines = [for line in cell.lines : {
    mark  = substr(line, 0, 1)
    depth = length(regex("^ *", substr(line, 2, -1)))
    text  = trimspace(substr(line, 2, -1))
  }] })]

  # A line that goes takes what belongs to it along: the commands do not name that.
  commands = { for cell in local.parsed : cell.device => [
    for i, line in cell.lines : "${substr("                                ", 0, line.depth)}${
      line.mark != "-" ? line.text : startswith(line.text, "no ") ? trimprefix(line.text, "no ") : "no ${line.text}"
    }" if line.mark != "-" || try(reverse([for above in slice(cell.lines, 0, i) : above.mark if above.depth < line.depth])[0], "") != "-"
  ]... }
  remediation = { for device, commands in local.commands : device => join("\n", flatten(commands)) }
}

locals {
  # The features of each device.
  features = { for device in keys(var.devices) : device => [
    for name, feature in var.features : name if try(contains(feature.devices, device), true)
  ] }
}

# The latest text of each device. Only the lines of its features reach the state, and none that may contain a secret.
data "enms_device_configuration" "latest" {
  for_each = local.features

  device   = each.key
  property = var.property
  only     = distinct(flatten([for feature in each.value : var.features[feature].lines]))
  ignore   = var.secrets
}

locals {
  intended = { for device, features in local.features : device => {
    for feature in features : feature => templatefile(var.features[feature].template, merge({ name = device }, var.devices[device]))
  } }

  # What differs. The text is sensitive as a whole: what is left of it here has no secrets.
  differences = { for device, features in local.intended : device => {
    for feature, text in features : feature => provider::enms::config_diff(
      text,
      nonsensitive(provider::enms::config_lines(data.enms_device_configuration.latest[device].text, var.features[feature].lines, [])),
      concat(var.secrets, var.features[feature].ignore),
    )
  } }

  # The lines of templates that belong to no feature: they would be missing on each device forever.
  strays = flatten([for device, features in local.intended : [
    for feature, text in features : [
      for line in provider::enms::config_diff(text, provider::enms::config_lines(text, var.features[feature].lines, []), var.secrets) :
      "${trimprefix(line, "+ ")} (${feature}, ${device})" if startswith(line, "+ ")
    ]
  ]])

  # How many lines of each template may contain secrets: they are not compared.
  skipped = { for device, features in local.intended : device => { for feature, text in features : feature =>
    length(regexall("\n", provider::enms::config_lines(text, [""], []))) - length(regexall("\n", provider::enms::config_lines(text, [""], var.secrets)))
  } }

  backups = { for device, latest in data.enms_device_configuration.latest : device => {
    fetched = latest.update
    failed  = latest.status == "Failure" ? latest.failure : null
  } }

  today      = coalesce(var.today, formatdate("YYYY-MM-DD", plantimestamp()))
  exceptions = { for e in var.exceptions : "${e.device}/${e.feature}" => merge(e, { ended = timecmp("${e.until}T00:00:00Z", "${local.today}T00:00:00Z") < 0 })... }

  # Exceptions of what is not compared.
  misplaced = [for e in var.exceptions : "${e.feature} of ${e.device}" if !contains(try(local.features[e.device], []), e.feature)]

  # Devices of features that are none of the devices.
  undeclared = flatten([for name, feature in var.features : [for device in feature.devices == null ? [] : tolist(feature.devices) : "${device} (${name})" if !contains(keys(var.devices), device)]])

  report = { for device, features in local.differences : device => {
    backup = local.backups[device]
    features = { for feature, lines in features : feature => {
      status = (
        local.backups[device].fetched == null ? "unknown" :
        length(lines) == 0 ? "compliant" :
        try(local.exceptions["${device}/${feature}"][0].ended, null) == null ? "differs" :
        local.exceptions["${device}/${feature}"][0].ended ? "expired" : "excepted"
      )
      skipped   = local.skipped[device][feature]
      lines     = local.backups[device].fetched == null ? [] : lines
      exception = try({ for key, value in local.exceptions["${device}/${feature}"][0] : key => value if contains(["owner", "until", "reason"], key) }, null)
    } }
  } }

  cells = flatten([for device, row in local.report : [for feature, cell in row.features : merge(cell, { device = device, feature = feature })]])
  open  = [for cell in local.cells : cell if contains(["differs", "expired"], cell.status)]
}

check "golden_configuration" {
  assert {
    condition = length(local.open) == 0
    error_message = join("\n\n", [for cell in local.open : join("\n", concat(
      ["${cell.feature} of ${cell.device} differs${cell.status == "expired" ? ", and the exception of ${cell.exception.owner} ended on ${cell.exception.until}" : ""}:"], cell.lines,
    ))])
  }
}

check "backups" {
  assert {
    condition     = alltrue([for backup in local.backups : backup.fetched != null && backup.failed == null])
    error_message = join("\n", [for device, backup in local.backups : "${device}: ${backup.fetched == null ? "no text was ever fetched" : "the last attempt failed at ${backup.failed}; the text is of ${backup.fetched}"}." if backup.fetched == null || backup.failed != null])
  }
}

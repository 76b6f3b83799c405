output "report" {
  description = "By device: the time of its backup, and by feature the status (compliant, differs, excepted, expired or unknown), the lines that differ, the number of lines of the template that are not compared as they may contain secrets (skipped), and the exception."
  value       = local.report

  precondition {
    condition     = length(local.misplaced) == 0
    error_message = "There are exceptions for what is not compared: ${join(", ", local.misplaced)}. Correct the names of the device and the feature, or remove the exception."
  }

  precondition {
    condition     = length(local.undeclared) == 0
    error_message = "These devices of features are not in devices: ${join(", ", local.undeclared)}."
  }

  precondition {
    condition     = length(local.strays) == 0
    error_message = "These lines of templates match none of the lines of their feature: ${join(", ", local.strays)}. Add an expression to the lines of the feature."
  }
}

output "markdown" {
  description = "The report in Markdown."
  value       = local.markdown
}

output "json" {
  description = "The report in JSON, with the number of features by status."
  value       = jsonencode({ counts = local.counts, devices = local.report })
}

output "remediation" {
  description = "By device: the commands that would make it compliant, for devices with a command line like Cisco's. A device without commands is missing."
  value       = local.remediation
}

data "enms_link" "backbone" {
  name = "DALLAS-HOUSTON"
}

output "backbone_ends" {
  value = [data.enms_link.backbone.source, data.enms_link.backbone.destination]
}

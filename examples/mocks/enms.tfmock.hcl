# Mock data for terraform test: what a new instance has that its configuration does not set.
# Written by make generate. Copy the directory, and name it in a test:
#
#   mock_provider "enms" {
#     source = "./tests/mocks"
#   }

mock_resource "enms_device" {
  defaults = {
    description        = ""
    gateways           = []
    icon               = "router"
    id                 = "1"
    ip_address         = ""
    latitude           = "0.0"
    location           = ""
    longitude          = "0.0"
    model              = ""
    napalm_driver      = "ios"
    netconf_driver     = "default"
    netmiko_driver     = "cisco_ios"
    operating_system   = ""
    os_version         = ""
    owners             = []
    port               = 22
    rbac_configuration = []
    rbac_connect       = []
    rbac_edit          = []
    rbac_read          = []
    rbac_target        = []
    scrapli_driver     = "cisco_iosxe"
    subtype            = ""
    type               = "device"
    vendor             = ""
  }
}

mock_resource "enms_service" {
  defaults = {
    credential_type       = "any"
    description           = ""
    disabled              = false
    disabled_info         = ""
    id                    = "1"
    log_level             = 1
    max_number_of_retries = 100
    max_processes         = 5
    maximum_runs          = 1
    multiprocessing       = false
    named_credential      = ""
    number_of_retries     = 0
    operating_system      = ""
    owners                = []
    placeholder           = false
    priority              = 10
    rbac_edit             = []
    rbac_read             = []
    rbac_run              = []
    run_method            = "per_device"
    scoped_name           = ""
    shared                = false
    skip_value            = "success"
    superworkflow         = ""
    target_devices        = []
    target_pools          = []
    time_between_retries  = 10
    type                  = "service"
    vendor                = ""
    waiting_time          = 0
    workflows             = []
  }
}

mock_resource "enms_task" {
  defaults = {
    admin_only         = false
    crontab_expression = ""
    description        = ""
    devices            = []
    end_date           = ""
    frequency          = 0
    frequency_unit     = "seconds"
    id                 = "1"
    is_active          = false
    owners             = []
    pools              = []
    rbac_edit          = []
    rbac_read          = []
    scheduling_mode    = "standard"
    start_date         = ""
  }
}

mock_resource "enms_link" {
  defaults = {
    color       = "#000000"
    description = ""
    destination = ""
    id          = "1"
    location    = ""
    model       = ""
    owners      = []
    rbac_edit   = []
    rbac_read   = []
    source      = ""
    subtype     = ""
    type        = "link"
    vendor      = ""
  }
}

mock_resource "enms_pool" {
  defaults = {
    admin_only       = false
    description      = ""
    devices          = []
    id               = "1"
    links            = []
    manually_defined = false
    owners           = []
    rbac_edit        = []
    rbac_read        = []
  }
}

mock_resource "enms_network" {
  defaults = {
    category    = ""
    description = ""
    icon        = "network"
    id          = "1"
    latitude    = "0.0"
    links       = []
    location    = ""
    longitude   = "0.0"
    model       = ""
    networks    = []
    nodes       = []
    owners      = []
    rbac_edit   = []
    rbac_read   = []
    subtype     = ""
    vendor      = ""
  }
}

mock_resource "enms_credential" {
  defaults = {
    admin_only   = false
    description  = ""
    device_pools = []
    groups       = []
    id           = "1"
    owners       = []
    priority     = 1
    rbac_edit    = []
    rbac_read    = []
    role         = "read-write"
    subtype      = "password"
    username     = ""
  }
}

mock_resource "enms_user" {
  defaults = {
    authentication = "database"
    description    = ""
    email          = ""
    groups         = []
    id             = "1"
    is_admin       = false
    landing_page   = "/dashboard"
    small_menu     = false
    theme          = "default"
  }
}

mock_resource "enms_group" {
  defaults = {
    admin_only        = false
    credential_access = []
    delete_requests   = []
    description       = ""
    device_access     = []
    email             = ""
    force_read_access = false
    get_requests      = []
    id                = "1"
    link_access       = []
    menu              = []
    network_access    = []
    pages             = []
    pool_access       = []
    post_requests     = []
    service_access    = []
    task_access       = []
    users             = []
  }
}

mock_resource "enms_workflow_edge" {
  defaults = {
    color = ""
    id    = "1"
    label = ""
    name  = ""
  }
}

mock_resource "enms_store" {
  defaults = {
    admin_only  = false
    data_type   = "store"
    description = ""
    id          = "1"
    owners      = []
    rbac_edit   = []
    rbac_read   = []
    rbac_use    = []
    scoped_name = ""
    store       = ""
  }
}

mock_resource "enms_secret" {
  defaults = {
    admin_only  = false
    description = ""
    id          = "1"
    owners      = []
    rbac_edit   = []
    rbac_read   = []
    rbac_use    = []
    scoped_name = ""
    store       = ""
  }
}

mock_resource "enms_instance" {
  defaults = {
    id = "1"
  }
}

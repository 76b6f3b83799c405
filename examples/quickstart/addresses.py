missing = [device.name for device in devices if not device.ip_address]
results["success"] = not missing
results["result"] = {"devices without an address": missing}

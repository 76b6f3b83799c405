# Succeeds when the router has the wanted version.
results["success"] = device.os_version == "${version}"
results["result"] = f"{device.name} runs {device.os_version}"

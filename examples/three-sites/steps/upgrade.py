# Routers of the old series have no image of the wanted version.
results["success"] = not device.model.startswith("ISR")
results["result"] = f"{device.name} is a {device.model}"

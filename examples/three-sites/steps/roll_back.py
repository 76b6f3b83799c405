results["success"] = True
results["result"] = f"{device.name} is as it was"

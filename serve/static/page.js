// A page whose program does not answer any more says so.
document.addEventListener("htmx:sendError", () => { document.getElementById("offline").hidden = false; });
document.addEventListener("htmx:afterOnLoad", () => { document.getElementById("offline").hidden = true; });

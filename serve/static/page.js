// A page whose program does not answer any more says so.
document.addEventListener("htmx:sendError", () => { document.getElementById("offline").hidden = false; });
document.addEventListener("htmx:afterOnLoad", () => { document.getElementById("offline").hidden = true; });
// Back leads from a run to the form as it was sent.
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = document.getElementById("form");
  if (form && event.detail.requestConfig.verb === "post" && form.contains(event.detail.elt)) {
    history.replaceState(null, "", "?" + new URLSearchParams([...new FormData(form)].filter(([name, text]) => text && name !== "table")));
  }
});
// A file that was chosen before the scripts were there is sent.
document.addEventListener("DOMContentLoaded", () => {
  const input = document.querySelector(".drop input");
  if (input && input.files.length) input.form.requestSubmit();
});

// Keys, dropping, copying and a sign of life; everything else is forms and links.
"use strict";


const find = (name) => document.getElementById(name);
const workspace = location.pathname.split("/").slice(0, 4).join("/");
const isTyping = (one) =>
  one && (one.matches("textarea, select, [contenteditable]") || (one.matches("input") && one.type === "text"));

// What is being typed stays. (ignoreActiveValue would keep all that is inside of what has focus.)
const isActive = (one) => one === document.activeElement && isTyping(one);
// What was opened stays open, but for the way to another file, which closes when that file is there.
const staysOpen = (one) => !one.matches(".again");
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, one, kind) =>
  !(name === "value" && isActive(one)) && !(name === "open" && kind === "remove" && staysOpen(one));
Idiomorph.defaults.callbacks.beforeNodeMorphed = (one) => !(isActive(one) && one.matches("textarea"));

function prepare() {
  // What needs a script is hidden until there is one.
  document.querySelectorAll("#drop, .copy").forEach((one) => { one.hidden = false; });
  const text = find("policy-text");
  const changed = text && text.querySelector(".changed");
  if (changed) text.scrollTop = Math.max(0, changed.offsetTop - text.offsetTop - 40);
}

document.addEventListener("DOMContentLoaded", prepare);
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target && event.detail.target.id === "page") prepare();
});

// 1 to 9 choose in a group of radio buttons; Ctrl+Z and Ctrl+Shift+Z undo and redo.
document.addEventListener("keydown", (event) => {
  const at = document.activeElement;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z" || event.altKey || isTyping(at)) return;
    const button = find(event.shiftKey ? "redo" : "undo");
    if (button) { event.preventDefault(); button.click(); }
    return;
  }
  if (event.altKey || isTyping(at)) return;
  const group = at && at.closest("[data-keys]");
  const place = "123456789".indexOf(event.key);
  if (!group || place < 0) return;
  const radio = group.querySelectorAll('input[type="radio"]')[place];
  if (radio) { event.preventDefault(); radio.focus(); radio.click(); }
});

document.addEventListener("click", async (event) => {
  const off = event.target.closest('[aria-disabled="true"]');
  if (off) { event.preventDefault(); event.stopPropagation(); return; }
  const copy = event.target.closest("[data-copy]");
  if (!copy) return;
  await navigator.clipboard.writeText(find(copy.dataset.copy).textContent);
  find("live").textContent = copy.dataset.done;
  const before = copy.textContent;
  copy.textContent = copy.dataset.done;
  setTimeout(() => { copy.textContent = before; }, 1500);
}, true);

// Words that are selected in a passage are those that were missed in it.
document.addEventListener("selectionchange", () => {
  const chosen = document.getSelection();
  const at = chosen.anchorNode && chosen.anchorNode.parentElement;
  const passage = at && at.closest("[data-into]");
  if (passage && !chosen.isCollapsed) find(passage.dataset.into).value = chosen.toString().trim();
});

// A dropped file is sent as it is, and held in memory there.
async function send(file) {
  const area = find("drop");
  area.classList.add("busy");
  area.setAttribute("aria-busy", "true");
  const headers = {
    "HX-Request": "true", "Content-Type": "application/octet-stream",
    "X-File-Name": encodeURIComponent(file.name),
  };
  try {
    const answer = await fetch(area.dataset.url, { method: "POST", body: file, headers });
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html").getElementById("page");
    if (!page) throw new Error();
    Idiomorph.morph(find("page"), page, { morphStyle: "outerHTML" });
    htmx.process(find("page"));
    prepare();
    find("main").focus();
  } catch {
    find("broken").hidden = false;
  }
}

const over = (event) => event.target.closest && event.target.closest("#drop");
document.addEventListener("dragover", (event) => {
  event.preventDefault(); // a file dropped anywhere else must not take the place of the page
  if (over(event)) over(event).classList.add("over");
});
document.addEventListener("dragleave", (event) => { if (over(event)) over(event).classList.remove("over"); });
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (over(event) && event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
});
document.addEventListener("change", (event) => {
  if (event.target.id === "drop-file" && event.target.files.length) send(event.target.files[0]);
});

// A page that the browser kept while others were shown is old, and after the end nothing of it stays.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// Close ends discreet for all tabs, so none goes on showing rows.
const tabs = new BroadcastChannel("discreet");
tabs.addEventListener("message", () => { find("page").remove(); isBroken(true); });
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action").endsWith("/close")) tabs.postMessage("closed");
});

// The server ends when no page is open any more, and a page says when there is no server.
const isBroken = (state) => { find("broken").hidden = !state; };
document.addEventListener("htmx:sendError", () => isBroken(true));
setInterval(() => {
  fetch(`${workspace}/open/ping`).then((answer) => isBroken(!answer.ok), () => isBroken(true));
}, 30000);

// A group was made: the next one gets a name of its own.
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && event.target.matches(".grouping")) find("group-name").value = "";
});

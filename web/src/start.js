// What runs after the page, in any browser: where the page did not start, it says in one line what the browser lacks.
// It is written for browsers of 2010, and is not translated.
(function () {
  var line = document.querySelector(".without"), lacks = [];
  if (!line) return; // the page is there
  if (!("noModule" in document.createElement("script"))) lacks.push("modules");
  if (typeof HTMLDialogElement === "undefined" || !HTMLDialogElement.prototype.showModal) lacks.push("dialogs");
  if (!Array.prototype.at) lacks.push("JavaScript of 2022");
  if (typeof TextDecoderStream === "undefined" || typeof ResizeObserver === "undefined" || typeof EventSource === "undefined") lacks.push("streams");
  line.className = "without now";
  if (!lacks.length) return; // the page failed otherwise
  while (line.parentNode.lastChild !== line) line.parentNode.removeChild(line.parentNode.lastChild); // it leads nowhere
  line.firstChild.data = "This browser is too old for the page: it lacks " + lacks.join(", ") + ". Use one of 2022 or later. ";
})();

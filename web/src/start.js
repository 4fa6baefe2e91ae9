// What runs before the page, in any browser: it says in one line where a browser is too old, and starts the page
// otherwise. It is written for browsers of 2010, and is not translated.
(function () {
  var lacks = [];
  if (!("noModule" in document.createElement("script"))) lacks.push("modules");
  if (typeof HTMLDialogElement === "undefined" || !HTMLDialogElement.prototype.showModal) lacks.push("dialogs");
  if (!Array.prototype.at || typeof Intl === "undefined" || !Intl.RelativeTimeFormat) lacks.push("JavaScript of 2022");
  if (typeof TextDecoderStream === "undefined" || typeof ResizeObserver === "undefined" || typeof EventSource === "undefined") lacks.push("streams");
  var line = document.querySelector(".without");
  if (lacks.length) {
    if (line) {
      line.className = "without now";
      line.firstChild.data = "This browser is too old for the page: it lacks " + lacks.join(", ") + ". Use one of 2022 or later. ";
    }
    return;
  }
  var main = document.createElement("script");
  main.type = "module";
  main.crossOrigin = "";
  main.src = document.querySelector("link[rel=modulepreload]").href;
  document.head.appendChild(main);
})();

// The page: brings plan, source and engine together and shows how they are doing.

import { showCards } from "./cards.js";
import { Complaint, sentenceOf } from "./complaint.js";
import { Engine } from "./engine.js";
import { SILENCE_MS } from "./pieces.js";
import { openCamera, openFile } from "./source.js";

const at = (id) => document.getElementById(id);
const page = { engine: null, source: null, isPaused: false, isDirty: false, drawn: [], latencies: [] };

function tell(text, isError = true) {
  at("message").textContent = text;
  at("notice").hidden = !text;
  at("notice").classList.toggle("error", isError);
}

function fail(error) {
  console.error(error);
  tell(sentenceOf(error));
}

function progress(loaded, total) {
  at("loading").value = total ? loaded / total : 1;
  at("loaded").textContent = `${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
}

async function loadPlan() {
  let answer;
  const signal = AbortSignal.timeout(SILENCE_MS);
  try {
    answer = await fetch("plan.json", { signal });
  } catch {
    throw new Complaint("plan.json could not be loaded; check the connection and reload the page.");
  }
  if (!answer.ok) throw new Complaint(`plan.json is not on the server (${answer.status}); upload the whole folder again.`);
  try {
    return await answer.json();
  } catch {
    if (signal.aborted) throw new Complaint("plan.json breaks off; check the connection and reload the page.");
    throw new Complaint("plan.json on the server is damaged; upload the whole folder again.");
  }
}

async function start() {
  const plan = await loadPlan();
  document.title = at("title").textContent = plan.title;
  at("chain").hidden = !plan.stages.length;
  at("seen").hidden = !plan.look;
  page.engine = await Engine.make(plan, { onProgress: progress, onLost: stop });
  page.engine.show(at("picture"));
  page.engine.onPredictions = showPredictions;
  at("gpu").textContent = page.engine.adapterName;
  showCards(at("stages"), page.engine.stages, () => (page.isDirty = true));
  at("starting").hidden = true;
  at("open").hidden = false;
  document.body.dataset.state = "ready";
  performance.mark("lightloom ready");
  if (!page.engine.loader.isKept) tell("The browser has no room to keep this page for use without the net.", false);
  for (const button of document.querySelectorAll("button[data-waits]")) button.disabled = false;
  requestAnimationFrame(frame);
}

// Nothing works any more: the last picture stays, with the reason.
function stop(sentence) {
  page.engine = null;
  document.body.dataset.state = "stopped";
  tell(sentence);
}

function frame() {
  if (!page.engine) return;
  requestAnimationFrame(frame);
  showFigures();
  const { source, engine } = page;
  if (!source || !engine.isReady || page.isBusy || document.hidden) return;
  if (source.isStill ? page.isDirty : (!page.isPaused && hasNew(source)) || page.isDirty) draw().catch(fail);
}

function hasNew(source) {
  return source.isLive || source.time !== page.shownTime;
}

async function draw() {
  const { source, engine } = page;
  const begun = performance.now();
  page.isDirty = false;
  const [width, height] = engine.size;
  if (source.width !== width || source.height !== height) await page.resize(source);
  if (source.isStill || source.time < page.shownTime) engine.reset();
  page.shownTime = source.time;
  await engine.render(source.picture, source.isLive ? begun / 1000 : source.time, { always: source.isStill });
  const now = performance.now();
  page.drawn.push(now);
  page.latencies.push(now - begun);
  document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
}

page.resize = async (source) => {
  page.isBusy = true;
  try {
    await page.engine.resize(source.width, source.height);
  } finally {
    page.isBusy = false;
  }
};

async function use(opening) {
  if (!page.engine) return;
  tell("");
  document.body.dataset.source = "";
  try {
    const source = await opening;
    try {
      await page.resize(source);
    } catch (error) {
      source.close();
      throw error;
    }
    page.source?.close();
    Object.assign(page, { source, isPaused: false, isDirty: true, shownTime: -1, drawn: [], latencies: [] });
    at("open").hidden = true;
    at("picture").hidden = false;
    at("pause").disabled = source.isStill;
    at("save").disabled = false;
    showPaused();
    showPredictions([]);
    document.body.dataset.source = source.name;
  } catch (error) {
    fail(error);
  }
}

function showFigures() {
  const since = performance.now() - 1000;
  while (page.drawn.length && page.drawn[0] < since) {
    page.drawn.shift();
    page.latencies.shift();
  }
  const count = page.drawn.length;
  const isPlaying = count && !page.source?.isStill;
  at("fps").textContent = isPlaying ? `${count} FPS` : "";
  at("latency").textContent = count ? `${(page.latencies.reduce((sum, each) => sum + each, 0) / count).toFixed(1)} ms` : "";
}

function showPredictions(predictions) {
  at("predictions").replaceChildren(
    ...predictions.map(({ label, probability }) => {
      const item = document.createElement("li");
      const [name, share, bar] = ["span", "span", "meter"].map((tag) => document.createElement(tag));
      name.textContent = label;
      share.textContent = `${(probability * 100).toFixed(1)} %`;
      bar.value = probability;
      item.append(name, share, bar);
      return item;
    }),
  );
}

function showPaused() {
  at("pause").textContent = page.isPaused ? "Play" : "Pause";
}

function pause() {
  if (!page.source || page.source.isStill) return;
  page.isPaused = !page.isPaused;
  if (!page.source.isLive) page.isPaused ? page.source.video.pause() : page.source.video.play().catch(fail);
  showPaused();
}

async function save() {
  if (!page.source || !page.engine?.current) return;
  const picture = await page.engine.pixels();
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
  canvas.getContext("2d").putImageData(picture, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "lightloom.png" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const KEYS = { " ": pause, c: () => use(openCamera()), o: () => at("file").click(), s: () => save().catch(fail) };

function listen() {
  for (const button of document.querySelectorAll("[data-does=camera]")) button.onclick = KEYS.c;
  for (const button of document.querySelectorAll("[data-does=file]")) button.onclick = KEYS.o;
  at("pause").onclick = pause;
  at("save").onclick = KEYS.s;
  at("dismiss").onclick = () => tell("");
  at("file").onchange = () => {
    if (at("file").files[0]) use(openFile(at("file").files[0]));
    at("file").value = "";
  };
  addEventListener("keydown", (event) => {
    const isTyped = event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, button");
    if (isTyped || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) use(openFile(event.dataTransfer.files[0]));
  });
}

listen();
// A page that is not kept for use without the net works all the same.
navigator.serviceWorker?.register("sw.js").catch(console.warn);
start().catch((error) => {
  document.body.dataset.state = "failed";
  at("starting").hidden = true;
  fail(error);
});

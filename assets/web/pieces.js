// Loads the runs of bytes that a plan names: pieces side by side, each checked by its SHA-256, kept for the next visit, and gone on with
// where a connection broke.

import { Complaint } from "./complaint.js";

const AT_ONCE = 6; // what browsers open to one server
const ATTEMPTS = 5;
export const SILENCE_MS = 30000; // a server that says nothing for so long is asked again
const CACHE = `lightloom pieces ${new URL("./", import.meta.url).pathname}`;

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function isWhole(data, piece) {
  return data.length === piece.bytes && hex(await crypto.subtle.digest("SHA-256", data)) === piece.sha256;
}

// The browser's cache; without one (private windows) everything is loaded at each visit.
async function openCache() {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

export class Loader {
  // `onProgress(loaded, total)` counts bytes of what `expect` was told of.
  constructor(onProgress = () => {}) {
    this.onProgress = onProgress;
    this.loaded = 0;
    this.total = 0;
    this.waiting = [];
    this.busy = 0;
    this.used = new Set();
    this.cache = openCache();
    this.isKept = true; // false once the browser had no room
  }

  // The pieces of a run that hold some of the ranges { at, filled } that are wanted, each with its place.
  static wanted(run, ranges) {
    let end = 0;
    const placed = run.pieces.map((piece) => ({ piece, begin: end, end: (end += piece.bytes) }));
    return placed.filter(({ begin, end }) => ranges.some(({ at, filled }) => at < end && at + filled > begin));
  }

  expect(run, ranges = [{ at: 0, filled: run.bytes }]) {
    for (const { piece } of Loader.wanted(run, ranges)) this.total += piece.bytes;
  }

  // Calls `put(at, bytes)` for each piece of a run that is wanted, as it comes, in any order.
  async load(run, put, ranges = [{ at: 0, filled: run.bytes }]) {
    await Promise.all(Loader.wanted(run, ranges).map(({ piece, begin }) => this.turn(async () => put(begin, await this.piece(piece)))));
  }

  // The whole run in memory, for what is small.
  async bytes(run) {
    const data = new Uint8Array(run.bytes);
    await this.load(run, (at, piece) => data.set(piece, at));
    return data;
  }

  async turn(work) {
    if (this.busy >= AT_ONCE) await new Promise((resolve) => this.waiting.push(resolve));
    this.busy++;
    try {
      return await work();
    } finally {
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  async piece(piece) {
    const url = new URL(piece.name, import.meta.url).href;
    const cache = await this.cache;
    this.used.add(url);
    const kept = await cache?.match(url);
    if (kept) {
      const data = new Uint8Array(await kept.arrayBuffer());
      if (await isWhole(data, piece)) {
        this.count(data.length);
        return data;
      }
      await cache.delete(url);
    }
    const data = await this.fetched(url, piece);
    try {
      await cache?.put(url, new Response(data));
    } catch {
      this.isKept = false;
    }
    return data;
  }

  count(bytes) {
    this.loaded += bytes;
    this.onProgress(this.loaded, this.total);
  }

  async fetched(url, piece) {
    const data = new Uint8Array(piece.bytes);
    let have = 0;
    let why = "";
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt) await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt));
      const stop = new AbortController();
      let timer = setTimeout(() => stop.abort(), SILENCE_MS);
      try {
        const headers = have ? { Range: `bytes=${have}-` } : {};
        // Not from the browser's own cache: a broken piece there would be handed out again and again.
        const answer = await fetch(url, { headers, signal: stop.signal, cache: "no-store" });
        if (answer.status === 404 || answer.status === 410 || answer.status === 403) {
          throw new Complaint(`The piece ${piece.name} is not on the server (${answer.status}); upload the whole folder again.`);
        }
        if (!answer.ok) throw new Error(`the server said ${answer.status}`);
        const goesOn = answer.status === 206 && (answer.headers.get("Content-Range") || "").startsWith(`bytes ${have}-`);
        if (!goesOn) {
          this.count(-have);
          have = 0;
        }
        const reader = answer.body.getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          clearTimeout(timer);
          timer = setTimeout(() => stop.abort(), SILENCE_MS);
          if (have + value.length > piece.bytes) {
            stop.abort();
            throw damaged(piece);
          }
          data.set(value, have);
          have += value.length;
          this.count(value.length);
        }
        if (have === piece.bytes) {
          if (await isWhole(data, piece)) return data;
          throw damaged(piece);
        }
        why = "the connection ended early";
      } catch (error) {
        if (error instanceof Complaint) throw error;
        why = stop.signal.aborted ? "the server fell silent" : error.message;
      } finally {
        clearTimeout(timer);
      }
    }
    throw new Complaint(`The piece ${piece.name} could not be loaded (${why}); check the connection and reload, what is there is kept.`);
  }

  // Lets go of pieces that an older page kept and this one does not use.
  async tidy() {
    const cache = await this.cache;
    for (const request of (await cache?.keys()) || []) {
      if (!this.used.has(request.url)) await cache.delete(request);
    }
  }
}

function damaged(piece) {
  return new Complaint(`The piece ${piece.name} on the server is damaged: its SHA-256 is another one; upload the whole folder again.`);
}

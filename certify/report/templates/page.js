"use strict";
const dualfit = {
  // Exact numbers. A count of units is a whole number, or the text of one; a unit is [numerator, denominator] as texts.
  ratio(count, unit) {
    let p = BigInt(count) * BigInt(unit[0]), q = BigInt(unit[1]);
    let [a, b] = [p < 0n ? -p : p, q];
    while (b) [a, b] = [b, a % b];
    return a > 1n ? [p / a, q / a] : [p, q];
  },

  decimal([p, q]) {
    const size = (p < 0n ? -p : p) * 1000000n;
    let whole = size / q;
    const left = 2n * (size % q);
    if (left > q || (left === q && whole % 2n)) whole += 1n;
    const digits = whole.toString().padStart(7, "0");
    const text = (digits.slice(0, -6) + "." + digits.slice(-6)).replace(/\.?0+$/, "");
    return (size % q ? "~" : "") + (p < 0n && whole ? "-" : "") + text;
  },

  number(count, unit) {
    const [p, q] = dualfit.ratio(count, unit);
    if (q === 1n) return p.toString();
    const exact = p + "/" + q, shown = dualfit.decimal([p, q]);
    if (!shown.startsWith("~")) return shown;
    return exact.length <= 24 ? exact + " (" + shown + ")" : shown;
  },

  scale(unit) {
    const bits = Math.max(0, Math.max(unit[0].length, unit[1].length) - 250);
    const cut = (text) => Number(bits ? text.slice(0, -bits) || "0" : text);
    return cut(unit[0]) / cut(unit[1]);
  },

  // A column of whole counts as numbers to draw by; made once.
  drawable(source, name, unit) {
    const made = (source.drawable ??= {}), column = source.data[name];
    return (made[name] ??= Float64Array.from(column, (count) => Number(count) * dualfit.scale(unit)));
  },

  say(id, words) {
    const place = document.getElementById(id);
    if (place && place.textContent !== words) place.textContent = words;
  },

  // The handles of sliders say to screen readers what they set.
  labelled() {
    const walk = (node) => {
      const handle = node.classList?.contains("noUi-handle");
      if (handle && !node.hasAttribute("aria-label")) {
        const title = node.getRootNode().querySelector(".bk-slider-title, label");
        node.setAttribute("aria-label", title ? title.textContent.split(":")[0].trim() : "level");
      }
      for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) walk(child);
    };
    document.querySelectorAll(".plot").forEach(walk);
  },

  plural(count, one, many) {
    return count.toLocaleString("en") + " " + (count === 1 ? one : many);
  },

  waiting: new Set(),

  // Call `draw(m)` before the next frame, once for all changes until then.
  soon(key, m, draw) {
    if (dualfit.waiting.has(key)) return;
    dualfit.waiting.add(key);
    requestAnimationFrame(() => { dualfit.waiting.delete(key); draw(m); });
  },

  // A button beside a picture moves the range of its name by shares of what is in view; without two, to where it began.
  button(one) {
    const range = Bokeh.documents[0].get_model_by_name(one.dataset.range), first = [range.start, range.end];
    const by = one.dataset.by.split(" ").map(Number);
    one.addEventListener("click", () => {
      const [start, end] = [range.start, range.end];
      const [left, right] = by.length === 2 ? [start + by[0] * (end - start), end + by[1] * (end - start)] : first;
      const least = range.min_interval || 0, most = 50 * (first[1] - first[0]), size = Math.min(Math.max(right - left, least), most);
      if (size === right - left) range.setv({start: left, end: right});
      else range.setv({start: (left + right - size) / 2, end: (left + right + size) / 2});
    });
  },

  window(x, y) {
    const [left, right] = [Math.min(x.start, x.end), Math.max(x.start, x.end)];
    const [low, high] = y ? [Math.min(y.start, y.end), Math.max(y.start, y.end)] : [-Infinity, Infinity];
    return {left, right, low, high};
  },

  // The rows whose bar lies in the window, in order; null if there are more than `most`.
  inside(w, starts, ends, rows, most) {
    const found = [];
    let count = 0;
    for (let k = 0; k < starts.length; k++) {
      if (ends[k] < w.left || starts[k] > w.right || rows[k] + 0.5 < w.low || rows[k] - 0.5 > w.high) continue;
      if (++count <= most) found.push(k);
    }
    return {count, found: count <= most ? found : null};
  },

  // Steps of a series: `value` from `time` on. The largest value in each of `bins` parts of the window.
  largest(time, value, first, last, w, bins) {
    const out = new Float32Array(bins).fill(NaN), width = (w.right - w.left) / bins;
    let next = first, now = 0;
    for (let b = 0; b < bins; b++) {
      const start = w.left + b * width, end = b === bins - 1 ? w.right : start + width;
      for (; next < last && time[next] <= start; next++) now = value[next];
      let most = now;
      for (; next < last && time[next] < end; next++) { now = value[next]; if (now > most) most = now; }
      if (most > 0) out[b] = most;
    }
    return out;
  },

  // The cells of all machines: the largest value of each machine's steps, the darkest colour being `least` at least.
  cells(m, steps, first, w, least) {
    const image = m.image.data.image[0];
    let most = least;
    for (let i = 0; i < m.names.length; i++) {
      const row = dualfit.largest(steps.time, steps.value, first[i], first[i + 1], w, m.bins);
      for (let b = 0; b < m.bins; b++) { image[i * m.bins + b] = row[b]; if (row[b] > most) most = row[b]; }
    }
    m.mapper.high = most;
    m.image.data.x[0] = w.left;
    m.image.data.dw[0] = w.right - w.left;
    m.image.change.emit();
  },

  short(value) {
    return String(Number(value.toPrecision(6)));
  },
};

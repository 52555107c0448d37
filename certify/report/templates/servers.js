"use strict";
dualfit.servers = {
  // The pieces of the chosen schedule in the window, one by one; where they are too many, the fastest of each part.
  draw(m) {
    const k = Number(m.choice.value), w = dualfit.window(m.x, m.y), p = m.pieces[k].data;
    const {count, found} = dualfit.inside(w, p.start, p.end, p.server, m.most);
    m.shown.data = found ? dualfit.servers.pieces(m, k, found, w) : dualfit.servers.cells(m, k, w);
    const what = dualfit.plural(count, "piece", "pieces");
    dualfit.say(m.note, found ? "Shown: " + what + " of " + dualfit.plural(p.start.length, "", "").trim() + ", one by one."
      : "Aggregated: " + what + " lie in this window, so each bar is the largest speed of a server in its time. Zoom in to fewer than "
        + dualfit.plural(m.most, "", "").trim() + " to see single jobs.");
  },

  pieces(m, k, found, w) {
    const p = m.pieces[k].data, d = m.dials[k].data, jobs = m.jobs[k].data, pixels = m.figure.inner_width / (w.right - w.left);
    const of = (name) => found.map((i) => jobs[name][p.job[i]]), at = (name) => found.map((i) => d[name][p.dial[i]]);
    const words = Object.fromEntries(["release", "size", "done", "cost", "flow", "energy", "pays", "shade"].map((name) => [name, of(name)]));
    const id = of("id").map(String);
    return {
      ...words, id, job: id, speed: at("speed"), power: at("power"),
      left: found.map((i) => p.start[i]), right: found.map((i) => p.end[i]),
      bottom: found.map((i) => p.server[i] + 0.42), top: found.map((i) => p.server[i] + 0.42 - d.height[p.dial[i]]),
      edge: found.map(() => 0.5), from: found.map((i) => p.from[i]), to: found.map((i) => p.to[i]),
      name: found.map((i, n) => ((p.end[i] - p.start[i]) * pixels > 8 + 8 * id[n].length ? id[n] : "")),
    };
  },

  cells(m, k, w) {
    const p = m.pieces[k].data, d = m.dials[k].data, width = (w.right - w.left) / m.bins;
    const fastest = new Int32Array(m.rows * m.bins).fill(-1), costly = new Float32Array(m.rows * m.bins);
    for (let i = 0; i < p.start.length; i++) {
      if (p.end[i] < w.left || p.start[i] > w.right) continue;
      const first = Math.max(0, Math.floor((p.start[i] - w.left) / width));
      const last = Math.min(m.bins - 1, Math.ceil((p.end[i] - w.left) / width) - 1);
      for (let b = first; b <= last; b++) {
        const cell = p.server[i] * m.bins + b;
        fastest[cell] = Math.max(fastest[cell], p.dial[i]);
        costly[cell] = Math.max(costly[cell], m.jobs[k].data.shade[p.job[i]]);
      }
    }
    const cells = Array.from(fastest.keys()).filter((cell) => fastest[cell] >= 0);
    const row = (cell) => Math.floor(cell / m.bins) + 0.42, start = (cell) => w.left + (cell % m.bins) * width;
    const none = cells.map(() => "-");
    return {
      left: cells.map(start), right: cells.map((cell) => start(cell) + width),
      bottom: cells.map(row), top: cells.map((cell) => row(cell) - d.height[fastest[cell]]), shade: cells.map((cell) => costly[cell]),
      edge: cells.map(() => 0), name: cells.map(() => ""), job: cells.map(() => "several"), id: none,
      from: cells.map((cell) => start(cell).toPrecision(6)), to: cells.map((cell) => (start(cell) + width).toPrecision(6)),
      speed: cells.map((cell) => "up to " + d.speed[fastest[cell]]), power: cells.map((cell) => d.power[fastest[cell]]),
      release: none, size: none, done: none, cost: none, flow: none, energy: none, pays: none,
    };
  },

  // What the chosen schedule pays over time: every change in the window, or the largest of each part.
  paid(m) {
    const w = dualfit.window(m.x, null), s = m.moments[Number(m.choice.value)].data, inside = [];
    let before = -1;
    for (let i = 0; i < s.time.length; i++) {
      if (s.time[i] < w.left) before = i;
      else if (s.time[i] <= w.right) inside.push(i);
    }
    const out = {time: [], unfinished: [], pays: [], power: []};
    const add = (time, unfinished, pays, power) => { out.time.push(time); out.unfinished.push(unfinished); out.pays.push(pays); out.power.push(power); };
    if (inside.length <= m.most) {
      if (before >= 0) add(w.left, s.unfinished[before], s.pays[before], s.power[before]);
      for (const i of inside) add(s.time[i], s.unfinished[i], s.pays[i], s.power[i]);
      if (out.time.length) add(w.right, out.unfinished.at(-1), out.pays.at(-1), out.power.at(-1));
    } else {
      const width = (w.right - w.left) / m.bins;
      const jobs = dualfit.largest(s.time, s.unfinished, 0, s.time.length, w, m.bins);
      dualfit.largest(s.time, s.pays, 0, s.time.length, w, m.bins).forEach((most, b) => {
        add(w.left + b * width, jobs[b] || 0, most || 0, "largest of several");
      });
    }
    if (!out.time.length) { add(w.left, 0, 0, "0"); add(w.right, 0, 0, "0"); }
    m.curve.data = out;
  },
};

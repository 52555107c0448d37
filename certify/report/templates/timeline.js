"use strict";
dualfit.timeline = {
  // One job in words; every number exact.
  job(m, j) {
    const d = m.jobs.data, time = (count) => dualfit.number(count, m.unit);
    const rejected = d.machine[j] < 0, late = d.fate[j] === 2;
    const words = {
      job: d.id[j],
      release: time(d.release[j]),
      size: dualfit.number(d.size[j], m.tick),
      weight: m.weighted ? dualfit.number(d.weight[j], m.weight) : "",
      eligible: m.sets.data.text[d.eligible[j]],
      machine: rejected ? "none" : m.names[d.machine[j]],
      fate: rejected ? "rejected on arrival" : late ? "rejected late, " + (m.flow ? "at " + time(d.leave[j]) : "after " + d.id[d.leave[j]])
        : m.flow ? "finished at " + time(d.leave[j]) : "accepted",
      flow: "-",
      alpha: d.alpha ? String(d.alpha[j]) + dualfit.timeline.origin(m, j) : "-",
    };
    if (m.flow && !rejected && !late) words.flow = time(BigInt(d.leave[j]) - BigInt(d.release[j]));
    return words;
  },

  origin(m, j) {
    const d = m.jobs.data, on = m.names[d.least[j]];
    if (m.rule === "C4") return ", the price of machine " + on;
    return d.alpha[j] === d.most[j] ? ", as many intervals as count it on machine " + on
      : ", at most " + d.most[j] + " as on machine " + on;
  },

  table(m, rows, job_of, more) {
    const names = ["job", "release", "size", "weight", "eligible", "machine", "fate", "flow", "alpha"];
    const out = {...Object.fromEntries(names.map((name) => [name, []])), ...more};
    for (const k of rows) {
      const words = dualfit.timeline.job(m, job_of(k));
      for (const name of names) out[name].push(words[name]);
    }
    return out;
  },

  draw(m) {
    const w = dualfit.window(m.x, m.y);
    const p = m.pieces.data, start = dualfit.drawable(m.pieces, "start", m.unit), end = dualfit.drawable(m.pieces, "end", m.unit);
    const {count, found} = dualfit.inside(w, start, end, p.machine, m.most);
    if (found) dualfit.timeline.pieces(m, found, start, end, w);
    else m.shown.data = dualfit.timeline.table(m, [], null, {left: [], right: [], row: [], shade: [], late: [], name: [], from: [], to: [], came: [], foot: []});
    m.bars.visible = m.names_on.visible = Boolean(found);
    m.heat.visible = !found;
    if (!found) dualfit.cells(m, m.steps.data, m.first, w, 1);
    dualfit.timeline.phases(m, w);
    const marks = dualfit.timeline.marks(m, w);
    const what = dualfit.plural(count, m.word, m.word + "s");
    dualfit.say(m.note, found ? "Shown: " + what + " of " + dualfit.plural(p.start.length, "", "").trim() + ", one by one" + marks + "."
      : "Aggregated: " + what + " lie in this window, so each cell shows the largest " + m.measure + " in its part (darkest: " + dualfit.short(m.mapper.high) + "). Zoom in to fewer than "
        + dualfit.plural(m.most, "", "").trim() + " to see single jobs" + marks + ".");
  },

  // The names of phases, those apart that would lie over one another.
  phases(m, w) {
    const d = m.phases.data, pixels = m.figure.inner_width / (w.right - w.left);
    let free = -Infinity;
    const shown = Array.from(d.at, (at, k) => {
      if (at < w.left || (at - w.left) * pixels < free) return "";
      free = (at - w.left) * pixels + 8 * d.words[k].length;
      return d.words[k];
    });
    m.phases.data = {...d, shown};
  },

  pieces(m, found, start, end, w) {
    const p = m.pieces.data, d = m.jobs.data, job_of = (k) => p.job[k];
    const pixels = m.figure.inner_width / (w.right - w.left);
    const name = found.map((k) => (end[k] - start[k]) * pixels > 8 + 8 * String(d.id[p.job[k]]).length ? String(d.id[p.job[k]]) : "");
    m.shown.data = dualfit.timeline.table(m, found, job_of, {
      left: found.map((k) => start[k]), right: found.map((k) => end[k]), row: found.map((k) => p.machine[k]),
      came: found.map((k) => Number(d.release[p.job[k]]) * dualfit.scale(m.unit)), foot: found.map((k) => p.machine[k] + 0.48),
      shade: found.map((k) => d.shade[p.job[k]]), late: found.map((k) => (d.fate[p.job[k]] === 2 ? p.machine[k] : NaN)), name,
      from: found.map((k) => dualfit.number(p.start[k], m.unit)), to: found.map((k) => dualfit.number(p.end[k], m.unit)),
    });
  },

  // Rejections as single marks, or one a cell where there are too many.
  marks(m, w) {
    const k = m.marks.data, at = dualfit.drawable(m.marks, "time", m.unit);
    const {count, found} = dualfit.inside(w, at, at, k.row, m.most);
    const cells = new Map();
    if (!found) {
      for (let r = 0; r < at.length; r++) {
        if (at[r] < w.left || at[r] > w.right) continue;
        const cell = k.row[r] * m.bins + Math.floor((at[r] - w.left) / (w.right - w.left) * m.bins);
        const known = cells.get(cell);
        if (known) known.many += 1; else cells.set(cell, {r, many: 1});
      }
    }
    const rows = found ?? Array.from(cells.values(), (one) => one.r);
    const many = found ? rows.map(() => 1) : Array.from(cells.values(), (one) => one.many);
    m.marked.data = dualfit.timeline.table(m, rows, (r) => k.job[r], {
      at: rows.map((r) => at[r]), row: rows.map((r) => k.row[r]), late: rows.map((r) => (k.late[r] ? "late" : "arrival")), time: rows.map((r) => dualfit.number(k.time[r], m.unit)),
      many: many.map((one) => (one > 1 ? "and " + (one - 1) + " more beside it" : "alone")),
    });
    return count ? ", with " + dualfit.plural(count, "rejection", "rejections") : "";
  },

  // The queue of the chosen machine, or of all: every step, or the largest of each part of the window.
  queue(m) {
    const w = dualfit.window(m.x, null), s = m.steps.data, i = Number(m.choice.value);
    const [first, last] = [m.first[i], m.first[i + 1]];
    const time = [], value = [];
    let inside = 0, before = 0;
    for (let k = first; k < last; k++) {
      if (s.time[k] < w.left) before = s.value[k];
      else if (s.time[k] <= w.right) inside++;
    }
    if (inside <= m.most) {
      time.push(w.left); value.push(before);
      for (let k = first; k < last; k++) if (s.time[k] >= w.left && s.time[k] <= w.right) { time.push(s.time[k]); value.push(s.value[k]); }
      time.push(w.right); value.push(value[value.length - 1]);
    } else {
      dualfit.largest(s.time, s.value, first, last, w, 2 * m.bins).forEach((most, b) => {
        time.push(w.left + b * (w.right - w.left) / (2 * m.bins)); value.push(most || 0);
      });
    }
    m.curve.data = {time, value};
  },
};

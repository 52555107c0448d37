"use strict";
dualfit.families = {
  // The chosen family, with its facts by name.
  chosen(m) {
    const k = Number(m.choice.value), [title, unit, lanes, levels, first, weights, guess, parts, note, crowd] = m.metas[k];
    return {k, title, unit, lanes, levels, first, weights, guess, parts, note, crowd, rows: m.intervals[k], duals: m.duals[k].data, covers: m.covers[k].data, from: m.firsts[k]};
  },

  eligible(m, j, machine) {
    const [start, machines] = m.sets.tags, s = m.jobs.data.eligible[j];
    for (let a = start[s]; a < start[s + 1]; a++) if (machines[a] === machine) return true;
    return false;
  },

  counts(m, f, interval, j) {
    const r = f.rows.data, at = BigInt(m.jobs.data.release[j]) * BigInt(f.parts);
    return BigInt(r.start[interval]) <= at && at <= BigInt(r.end[interval])
      && f.duals.heaviest[j - f.first] >= r.weight_class[interval] && dualfit.families.eligible(m, j, r.machine[interval]);
  },

  draw(m) {
    dualfit.labelled();
    const f = dualfit.families.chosen(m), w = dualfit.window(m.x, m.y);
    m.level.visible = f.levels.length > 0;
    if (f.levels.length) m.level.setv({end: Math.max(f.levels[1], 1), value: Math.min(m.level.value, f.levels[1])});
    const level = f.levels.length ? m.level.value : 0;
    const words = [dualfit.families.bars(m, f, w, level), dualfit.families.jobs(m, f, w, level), f.note];
    dualfit.say(m.note, words.join(" "));
    dualfit.families.mark(m);
  },

  bars(m, f, w, level) {
    const r = f.rows.data, start = dualfit.drawable(f.rows, "start", f.unit), end = dualfit.drawable(f.rows, "end", f.unit);
    const {count, found} = dualfit.inside(w, start, end, r.machine, m.most);
    const rows = found ?? [], tall = 0.62 / f.lanes;
    m.shown.selected.indices = [];
    m.shown.data = {
      left: rows.map((k) => start[k]), right: rows.map((k) => end[k]), number: rows,
      at: rows.map((k) => r.machine[k] + 0.22 - (r.lane[k] + 0.5) * tall), tall: rows.map(() => tall * 0.8),
      shade: rows.map((k) => (level === 0 || r.level[k] === level ? 1 : 0.15)),
      words: rows.map((k) => "on machine " + m.names[r.machine[k]]),
      from: rows.map((k) => dualfit.number(r.start[k], f.unit)), to: rows.map((k) => dualfit.number(r.end[k], f.unit)),
      length: rows.map((k) => dualfit.number(BigInt(r.end[k]) - BigInt(r.start[k]), f.unit)),
      times: rows.map((k) => String(r.multiplicity[k])), level: rows.map((k) => (f.levels.length ? String(r.level[k]) : "-")),
      weight: rows.map((k) => dualfit.families.weight(m, f, r.weight_class[k])),
    };
    m.bars.visible = Boolean(found);
    m.heat.visible = !found;
    if (!found) dualfit.cells(m, f.covers, f.from, w, 2);
    let number = 0n, length = 0n;
    for (let k = 0; k < r.machine.length; k++) {
      if (level !== 0 && r.level[k] !== level) continue;
      number += BigInt(r.multiplicity[k]);
      length += BigInt(r.multiplicity[k]) * (BigInt(r.end[k]) - BigInt(r.start[k]));
    }
    const many = number + (number === 1n ? " interval" : " intervals") + " of total length ";
    const what = f.crowd ? "The time of all machines for the jobs of the set: " + many
      : level ? "Level " + level + ": m_" + level + " = " + many + "L_" + level + " = " : "The whole family: " + many;
    return what + dualfit.number(length, f.unit) + "."
      + (found ? "" : " " + dualfit.plural(count, "interval lies", "intervals lie") + " in this window: drawn as the number over one another; zoom in to see them one by one.");
  },

  weight(m, f, k) {
    const [p, q] = f.weights[k];
    return dualfit.number(p, [m.wunit[0], (BigInt(m.wunit[1]) * BigInt(q)).toString()]) + " or more";
  },

  // Where a job is drawn: on the machine that it was sent to, or without a run on the one that allows the least.
  row(m, f, j) {
    return m.jobs.data.machine ? m.jobs.data.machine[j] : f.duals.machine[j - f.first];
  },

  jobs(m, f, w, level) {
    const at = dualfit.drawable(m.jobs, "release", m.tick), alpha = f.duals.alpha;
    const found = [];
    let count = 0, deep = 0;
    for (let k = 0; k < alpha.length; k++) {
      const j = f.first + k, row = dualfit.families.row(m, f, j);
      if (alpha[k] >= Math.max(level, 1)) deep++;
      if (at[j] < w.left || at[j] > w.right || row + 0.5 < w.low || row - 0.5 > w.high) continue;
      if (++count <= m.most) found.push(j);
    }
    const rows = count <= m.most ? found : [], d = m.jobs.data, beside = new Map();
    const darkest = dualfit.families.crowd(m, f, w, at, count > m.most);
    const foot = rows.map((j) => {  // jobs of one moment below one another
      const row = dualfit.families.row(m, f, j), place = row + " " + at[j], known = beside.get(place) ?? 0;
      beside.set(place, known + 1);
      return row + 0.3 + (known % 3) * 0.09;
    });
    m.dots.data = {
      number: rows, at: rows.map((j) => at[j]), row: foot,
      fill: rows.map((j) => (alpha[j - f.first] >= Math.max(level, 1) ? "#1b3a57" : "#ffffff")), ring: rows.map(() => "#1b3a57"),
      job: rows.map((j) => d.id[j]), release: rows.map((j) => dualfit.number(d.release[j], m.tick)),
      size: rows.map((j) => dualfit.number(d.size[j], m.tick)), weight: rows.map((j) => (d.weight ? dualfit.number(d.weight[j], m.wunit) : "-")),
      eligible: rows.map((j) => m.sets.data.text[d.eligible[j]]),
      machine: rows.map((j) => (d.machine ? (d.machine[j] < 0 ? "none: rejected on arrival" : m.names[d.machine[j]]) : "-")),
      alpha: rows.map((j) => String(alpha[j - f.first])), origin: rows.map((j) => dualfit.families.origin(m, f, j)),
    };
    const some = f.crowd ? "a place in the set" : level ? "alpha_j of at least " + level : "a positive alpha_j";
    return dualfit.plural(deep, "job has ", "jobs have ") + some + " (filled)."
      + (count <= m.most ? "" : " " + dualfit.plural(count, "job", "jobs") + " in this window, as cells below the intervals (darkest: " + darkest + "): zoom in to see them.");
  },

  // How many jobs each machine has in each part of the window, where they are too many to be drawn.
  crowd(m, f, w, at, many) {
    const bins = Math.max(24, Math.min(m.bins, Math.floor(6000 / m.names.length))), width = (w.right - w.left) / bins;
    const counts = new Map();
    for (let k = 0; many && k < f.duals.alpha.length; k++) {
      const j = f.first + k, row = dualfit.families.row(m, f, j);
      if (row < 0 || at[j] < w.left || at[j] > w.right) continue;
      const cell = row * bins + Math.min(bins - 1, Math.floor((at[j] - w.left) / width));
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    const cells = Array.from(counts.keys()).sort((a, b) => a - b), most = Math.max(1, ...counts.values());
    const left = (cell) => w.left + (cell % bins) * width, row = (cell) => Math.floor(cell / bins);
    m.crowds.data = {
      left: cells.map(left), right: cells.map((cell) => left(cell) + width),
      bottom: cells.map((cell) => row(cell) + 0.48), top: cells.map((cell) => row(cell) + 0.26),
      shade: cells.map((cell) => 0.15 + 0.85 * counts.get(cell) / most), many: cells.map((cell) => counts.get(cell)),
      machine: cells.map((cell) => m.names[row(cell)]),
    };
    return most;
  },

  // Where alpha_j comes from, in one line.
  origin(m, f, j) {
    const k = j - f.first, {alpha, most, machine, load} = f.duals, on = m.names[machine[k]];
    const counted = "machine " + on + ", the first of its machines with the fewest intervals that count it: " + most[k];
    if (f.crowd) return alpha[k] ? "in the crowded set" : "not in the crowded set";
    if (!load) return alpha[k] === most[k] ? counted : alpha[k] + " of at most " + most[k] + ": " + counted;
    const own = alpha[k] === f.levels[1] && load[k] === 0 ? "all levels, as it was rejected"
      : "load " + dualfit.number(load[k], m.tick) + " over T = " + dualfit.number(1, f.guess) + ", rounded down";
    return own + "; at most " + most[k] + ", on machine " + on;
  },

  // Ring the jobs that the chosen interval counts, and say how many.
  mark(m) {
    const f = dualfit.families.chosen(m), picked = m.shown.selected.indices;
    const rows = m.dots.data.number ?? [];
    if (!picked.length) { dualfit.say(m.note + "-picked", "Click on an interval to see which jobs it counts."); return; }
    const interval = m.shown.data.number[picked[0]];
    const counted = rows.map((j) => dualfit.families.counts(m, f, interval, j));
    m.dots.data = {...m.dots.data, ring: counted.map((yes) => (yes ? "#cc4c02" : "#1b3a57"))};
    const many = counted.filter(Boolean).length;
    dualfit.say(m.note + "-picked", "The interval " + m.shown.data.words[picked[0]] + " counts " + dualfit.plural(many, "job", "jobs") + " drawn here (ringed): released in it, and eligible for its machine.");
  },
};

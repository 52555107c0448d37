"use strict";
dualfit.sets = {
  draw(m) {
    const k = Number(m.choice.value), [levels, guess, prices] = m.metas[k], b = m.blocks[k], d = b.data;
    m.level.visible = levels > 0;
    if (levels) m.level.setv({end: levels, value: Math.min(m.level.value, levels)});
    const s = levels ? m.level.value : 0, w = dualfit.window(m.x, m.y);
    // Whether a load of so many ticks is at least s T.
    const high = (ticks) => BigInt(ticks) * BigInt(guess[1]) >= BigInt(s) * BigInt(guess[0]);
    const load = m.names.map(() => 0n);
    let jobs = 0, volume = 0n;
    for (let r = 0; r < d.job.length; r++) {
      const i = d.machine[r];
      if (i >= 0 && BigInt(d.end[r]) > load[i]) load[i] = BigInt(d.end[r]);
      if (i < 0 || !high(d.start[r])) continue;
      jobs++;
      volume += BigInt(d.end[r]) - BigInt(d.start[r]);
    }
    dualfit.sets.bars(m, b, w, load, (r) => levels && d.machine[r] >= 0 && high(d.start[r]));
    m.mark.data = {at: levels ? [s * dualfit.scale([guess[0], guess[1]]) * dualfit.scale(m.tick)] : []};
    dualfit.say(m.note, levels ? dualfit.sets.level(m, s, guess, load.map((ticks, i) => (high(ticks) ? i : -1)).filter((i) => i >= 0), jobs, volume)
      : "The volume of these " + dualfit.plural(jobs, "job", "jobs") + ", each times the price of the cheapest of its machines, is "
        + dualfit.number(volume, m.tick) + "; all prices together are " + prices + ", so T* >= " + dualfit.sets.over(m, volume, prices) + ", before any rounding.");
  },

  over(m, volume, parts) {
    return dualfit.number(volume, [m.tick[0], (BigInt(m.tick[1]) * BigInt(parts)).toString()]);
  },

  level(m, s, guess, machines, jobs, volume) {
    const names = machines.slice(0, 8).map((i) => m.names[i]).join(", ") + (machines.length > 8 ? " and " + (machines.length - 8) + " more" : "");
    const at = dualfit.number(BigInt(s) * BigInt(guess[0]), [m.tick[0], (BigInt(m.tick[1]) * BigInt(guess[1])).toString()]);
    const set = "M_" + s + ", the machines of load " + s + " T = " + at + " or more: m_" + s + " = " + machines.length + (machines.length ? " (" + names + ")" : "") + ". ";
    const seen = "J(" + s + " T), the accepted jobs that saw such a load (dark): " + jobs + ", of volume " + dualfit.number(volume, m.tick) + ". ";
    return set + seen + (jobs && machines.length ? "Only M_" + s + " may run them, so T* >= " + dualfit.sets.over(m, volume, machines.length) + "." : "");
  },

  bars(m, b, w, load, dark) {
    const d = b.data, start = dualfit.drawable(b, "start", m.tick), end = dualfit.drawable(b, "end", m.tick);
    const {found} = dualfit.inside(w, start, end, d.machine, m.most);
    if (!found) {
      const whole = load.map((ticks) => Number(ticks) * dualfit.scale(m.tick)), none = load.map(() => "-");
      m.shown.data = {left: load.map(() => 0), right: whole, row: load.map((_, i) => i), fill: load.map(() => "#9ecae1"), job: load.map(() => "too many to tell apart: zoom in"),
        size: none, eligible: none, from: load.map(() => "0"), to: load.map((ticks) => dualfit.number(ticks, m.tick)), machine: m.names};
      return;
    }
    const j = found.map((r) => d.job[r]), jobs = m.jobs.data;
    m.shown.data = {
      left: found.map((r) => start[r]), right: found.map((r) => end[r]), row: found.map((r) => d.machine[r]), fill: found.map((r) => (dark(r) ? "#4292c6" : "#deebf7")),
      job: j.map((one) => jobs.id[one]), size: j.map((one) => dualfit.number(jobs.size[one], m.tick)), eligible: j.map((one) => m.sets.data.text[jobs.eligible[one]]),
      from: found.map((r) => dualfit.number(d.start[r], m.tick)), to: found.map((r) => dualfit.number(d.end[r], m.tick)),
      machine: found.map((r) => (d.machine[r] < 0 ? "none: rejected" : m.names[d.machine[r]])),
    };
  },
};

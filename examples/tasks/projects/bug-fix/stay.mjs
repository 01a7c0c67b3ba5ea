const DAY = 24 * 60 * 60 * 1000;

export function nights(arrival, departure) {
  return Math.floor((midnight(departure) - midnight(arrival)) / DAY);
}

function midnight(date) {
  return new Date(`${date}T00:00:00`).getTime();
}

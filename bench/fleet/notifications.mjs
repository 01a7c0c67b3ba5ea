// What PostgreSQL says to those who listen: how much of it there is, and how much it can be.
import { performance } from "node:perf_hooks";
import process from "node:process";
import { Listener } from "../../dist/connection/stores/postgres/listener.js";
import { onGround, openStore, percentile } from "./ground.mjs";

const LISTENERS = Number(process.env.E8_BENCH_WORKERS ?? 100);
const SENDERS = 4;
const SECONDS = 5;
const CONNECTED_MS = 1000;

/** Counts what workers and watchers are told from now on. */
export async function countedNews({ url, directory }) {
  const { part } = openStore(url, directory);
  const heard = { news: 0, calls: 0 };
  const leave = Object.keys(heard).map((channel) => part.listener.on(channel, "", () => (heard[channel] += 1)));
  return {
    stop: async () => {
      for (const one of leave) one();
      await part.database.close();
      return heard;
    },
  };
}

/** As fast as the server takes them, with nobody who listens and with a hundred. The listeners are all in this process. */
export async function notifications() {
  return onGround(async (ground) => {
    const [alone, heard] = [await sentTo(ground, 0), await sentTo(ground, LISTENERS)];
    const rate = ({ sent }) => (sent / SECONDS).toFixed(0);
    return [
      {
        what: `notifications that ${LISTENERS} listeners are sent, by ${SENDERS} connections`,
        value: `${rate(heard)} a second`,
        beside: `${rate(alone)} with nobody who listens; heard after p95 ${percentile(heard.late, 0.95).toFixed(0)} ms`,
      },
    ];
  });
}

async function sentTo({ part: { database } }, count) {
  const late = [];
  const listeners = Array.from({ length: count }, () => new Listener(database));
  const hear = (sentAt) => late.push(performance.now() - Number(sentAt));
  const leave = listeners.map((one) => one.on("calls", "", (sentAt) => sentAt !== "" && hear(sentAt)));
  await new Promise((resolve) => setTimeout(resolve, CONNECTED_MS));
  const until = performance.now() + SECONDS * 1000;
  let sent = 0;
  const sender = async () => {
    while (performance.now() < until) {
      await database.ask("select pg_notify($1, $2)", [database.channel("calls"), String(performance.now())]);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await new Promise((resolve) => setTimeout(resolve, CONNECTED_MS));
  for (const one of leave) one();
  return { sent, late };
}

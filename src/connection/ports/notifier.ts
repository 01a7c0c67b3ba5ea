import type { Statement } from "../../model/message.ts";
import type { Notification, NotifyChannel } from "../../model/notification.ts";

/** Why a channel could not be used. */
export interface NotifyFailure {
  channel: NotifyChannel;
  problem: Statement;
}

/** Tells a user who is away. Never throws, and takes a bounded time: failures are returned. */
export interface Notifier {
  send(notification: Notification, channels: readonly NotifyChannel[]): Promise<NotifyFailure[]>;
}

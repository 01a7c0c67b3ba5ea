import type {
  ClientApp,
  RequestPermissionRequest,
  RequestPermissionResponse,
  WriteTextFileRequest,
} from "@agentclientprotocol/sdk";

/** What the agent may ask of us. */
export interface Client {
  permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
  /** Throws where the file must not be written. */
  write(request: WriteTextFileRequest): Promise<void>;
}

/** Answers the agent for whoever is being answered. While nothing is asked, nothing is allowed. */
export function clientFor(app: ClientApp, current: () => Client | undefined): ClientApp {
  return app
    .onRequest("session/request_permission", async ({ params }) => {
      return (await current()?.permission(params)) ?? { outcome: { outcome: "cancelled" } };
    })
    .onRequest("fs/write_text_file", async ({ params }) => {
      const client = current();
      if (!client) throw new Error("nothing is being asked");
      await client.write(params);
      return {};
    });
}

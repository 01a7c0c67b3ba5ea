import type { AgentMessages } from "../../model/messages/agents.ts";
import type { MessageTexts } from "../message-texts.ts";

export const agentsMessages: MessageTexts<AgentMessages> = {
  agent_unfit_for_flow: {
    en: () => "an agent made of steps needs Claude Code: with another program, tool calls cannot be refused",
    ja: () =>
      "ステップで作るエージェントには Claude Code が必要です。ほかのプログラムではツールの呼び出しを止められません",
  },
};

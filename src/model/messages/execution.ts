// biome-ignore lint/suspicious/noEmptyInterface: filled area by area
export interface ExecutionMessages {}

import type { User } from '../users/known-users.js';

/** Colours of agents' pointers. White text on each has a contrast of at least 4.5. */
const COLORS = ['#b3261e', '#00639b', '#146c2e', '#7d4996', '#8b5000', '#a8005c'] as const;

/** Returns the colour that the fewest of these agents have. */
export function freeColor(agents: readonly { user: User }[]): string {
  const uses = (color: string) => agents.filter(({ user }) => user.agent?.color === color).length;
  return COLORS.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}

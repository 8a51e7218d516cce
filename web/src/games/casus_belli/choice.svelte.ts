// Which champion is selected and what it is about to do, for the board and the panel beside it. One board a page is
// played on; miniatures leave this alone.
import type { Role } from './shown';

export const choice = $state<{
  role: Role | null;
  /** 'path', or the attack that is being aimed. */
  mode: string;
  /** A cell that is only looked at. */
  looked: string | null;
}>({ role: null, mode: 'path', looked: null });

// What is selected on the board, for the panel beside it. One board a page is played on; miniatures leave this alone.

export const choice = $state<{ square: string | null; staged: string | null }>({ square: null, staged: null });

// Which piece is selected or looked at on the board, for the panel beside it. One board a page is played on; miniatures
// leave this alone.

export const choice = $state<{ square: string | null }>({ square: null });

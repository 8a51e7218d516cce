// Which unit is selected or looked at on the board, for the panel beside it. Miniatures leave this alone.

export const choice = $state<{ unit: number | null }>({ unit: null });

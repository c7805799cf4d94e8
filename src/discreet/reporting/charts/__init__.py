"""Pictures as SVG text: few kinds of charts, drawn here, without a library."""

"""The graph: nodes, values, element types, element-wise steps, views. Knows no kernel and no file format."""

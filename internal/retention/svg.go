// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"strings"
)

// The measures of the pictures, in SVG's units.
const (
	pictureWidth = 960
	plotLeft     = 110
	plotRight    = 940
	rowHeight    = 14
	plotTop      = 56
	plotTall     = 240
)

// style serves light and dark pages alike.
const style = `<style>
text { font: 12px sans-serif; fill: #57606a }
.title { font-size: 14px }
.written { fill: #d29922 } .local { fill: #0969da } .remote { fill: #8250df }
.may { opacity: .35 }
.axis { stroke: #8c959f; fill: none }
.line { fill: none; stroke-width: 2 } .line.local { stroke: #0969da; fill: none } .line.remote { stroke: #8250df; fill: none }
</style>
`

// TimelineSVG draws, for the first segments, while each is written, closed in the local tier, and in the remote tier. What
// is pale is possible, not certain.
func TimelineSVG(s Scenario, t Timeline, title string) string {
	lives := livesOf(t)
	to := s.Start + 1
	for _, l := range lives {
		for _, bar := range l.bars(s.Horizon) {
			to = max(to, bar.to)
		}
	}
	p := picture{from: s.Start, to: to}
	height := plotTop + int64(len(lives))*3*rowHeight + 40
	p.begin(height, title)
	y := int64(plotTop)
	for _, l := range lives {
		fmt.Fprintf(&p.text, "<text x=\"10\" y=\"%d\">segment %d</text>\n", y+rowHeight, l.number)
		for _, bar := range l.bars(s.Horizon) {
			row := y
			if bar.class == "remote" {
				row += rowHeight
			}
			p.rect(bar.class, bar.from, bar.certain, row)
			if bar.to > bar.certain {
				p.rect(bar.class+" may", bar.certain, bar.to, row)
			}
		}
		y += 3 * rowHeight
	}
	p.axis(y)
	kinds := []string{"written", "local"}
	if t.PeakRemoteBytes > 0 {
		kinds = append(kinds, "remote")
	}
	p.legend(kinds...)
	return p.end()
}

// OccupancySVG draws what one replica's segments occupy in the two tiers over time; of a forecast the course in which
// everything is as late as it may be.
func OccupancySVG(s Scenario, t Timeline, title string) string {
	p := picture{from: s.Start, to: s.Horizon}
	p.begin(plotTop+plotTall+40, title)
	most := max(1, t.PeakLocalBytes, t.PeakRemoteBytes)
	height := func(bytes int64) int64 { return plotTop + plotTall - mulDiv(bytes, plotTall, most, 1) }
	var local, remote strings.Builder
	fmt.Fprintf(&local, "M%s %d", p.x(s.Start), height(0))
	fmt.Fprintf(&remote, "M%s %d", p.x(s.Start), height(0))
	was := int64(0)
	for _, event := range t.Events {
		if event.Latest > s.Horizon {
			continue
		}
		x := p.x(event.Latest)
		if event.Kind == Purged {
			fmt.Fprintf(&local, "L%s %d", x, height(event.LocalBytes+event.Bytes))
		}
		fmt.Fprintf(&local, "L%s %d", x, height(event.LocalBytes))
		if event.RemoteBytes != was {
			fmt.Fprintf(&remote, "L%s %dL%s %d", x, height(was), x, height(event.RemoteBytes))
			was = event.RemoteBytes
		}
	}
	fmt.Fprintf(&remote, "L%s %d", p.x(s.Horizon), height(was))
	fmt.Fprintf(&p.text, "<path class=\"line local\" d=\"%s\"/>\n", local.String())
	kinds := []string{"local"}
	if t.PeakRemoteBytes > 0 {
		fmt.Fprintf(&p.text, "<path class=\"line remote\" d=\"%s\"/>\n", remote.String())
		kinds = append(kinds, "remote")
	}
	for _, share := range []int64{0, 1, 2, 3, 4} {
		bytes := mulDiv(most, share, 4, 1)
		fmt.Fprintf(&p.text, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", plotLeft-6, height(bytes)+4, readable(bytes))
	}
	p.axis(plotTop + plotTall)
	p.legend(kinds...)
	return p.end()
}

// picture is an SVG in the making, with a scale of time.
type picture struct {
	text     strings.Builder
	from, to int64
}

func (p *picture) begin(height int64, title string) {
	fmt.Fprintf(&p.text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", pictureWidth, height, escape(title))
	p.text.WriteString(style)
	fmt.Fprintf(&p.text, "<text class=\"title\" x=\"10\" y=\"20\">%s</text>\n", escape(title))
}

func (p *picture) end() string {
	p.text.WriteString("</svg>\n")
	return p.text.String()
}

// x is a moment's place, to a tenth.
func (p *picture) x(t int64) string {
	tenths := plotLeft*10 + mulDiv(max(0, min(t, p.to)-p.from), (plotRight-plotLeft)*10, max(1, p.to-p.from), 1)
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

func (p *picture) rect(class string, from, to, y int64) {
	left := plotLeft*10 + mulDiv(max(0, from-p.from), (plotRight-plotLeft)*10, max(1, p.to-p.from), 1)
	right := plotLeft*10 + mulDiv(max(0, to-p.from), (plotRight-plotLeft)*10, max(1, p.to-p.from), 1)
	width := max(right-left, 5)
	fmt.Fprintf(&p.text, "<rect class=\"%s\" x=\"%d.%d\" y=\"%d\" width=\"%d.%d\" height=\"%d\"/>\n", class, left/10, left%10, y, width/10, width%10, rowHeight-2)
}

// axis draws the scale below a plot.
func (p *picture) axis(y int64) {
	fmt.Fprintf(&p.text, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", plotLeft, y, plotRight)
	step := int64(1)
	for _, nice := range []int64{1000, 10000, minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs, 7 * dayMs, 30 * dayMs, 365 * dayMs} {
		if step = nice; (p.to-p.from)/nice <= 16 {
			break
		}
	}
	for t := int64(0); t <= p.to-p.from && t/step <= 40; t += step {
		fmt.Fprintf(&p.text, "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", p.x(p.from+t), y+18, mark(t))
	}
}

// mark is a span in its largest whole unit.
func mark(ms int64) string {
	for _, unit := range []struct {
		ms   int64
		name string
	}{{dayMs, "d"}, {hourMs, "h"}, {minuteMs, "min"}, {1000, "s"}} {
		if ms%unit.ms == 0 {
			return fmt.Sprintf("%d %s", ms/unit.ms, unit.name)
		}
	}
	return fmt.Sprintf("%d ms", ms)
}

func (p *picture) legend(kinds ...string) {
	for i, kind := range kinds {
		x := 110 + 150*i
		fmt.Fprintf(&p.text, "<rect class=\"%s\" x=\"%d\" y=\"32\" width=\"12\" height=\"12\"/><text x=\"%d\" y=\"42\">%s</text>\n", kind, x, x+18, map[string]string{
			"written": "being written", "local": "on the brokers", "remote": "in the remote tier",
		}[kind])
	}
}

// escape makes a text safe within SVG.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(text)
}

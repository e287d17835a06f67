package main

import "math"

// A line is a linear function of signals.
type line struct {
	bias    float64
	weights []float64
}

func (l *line) at(x []float64) float64 {
	y := l.bias
	for i, w := range l.weights {
		y += w * x[i]
	}
	return y
}

// A sample is the signals of a question's best hit, and whether it is answered.
type sample struct {
	x      []float64
	isOwn  bool
	weight float64
}

const (
	ridge = 10 // pulls weights towards zero, in units of samples
	steps = 12
)

// fit is a logistic regression: Newton's method on signals brought to one scale.
func fit(samples []sample) line {
	d := len(samples[0].x)
	mean, scale, total := make([]float64, d), make([]float64, d), 0.
	for _, s := range samples {
		total += s.weight
		for i, x := range s.x {
			mean[i] += s.weight * x
			scale[i] += s.weight * x * x
		}
	}
	for i := range mean {
		mean[i] /= total
		scale[i] = max(math.Sqrt(max(scale[i]/total-mean[i]*mean[i], 0)), 1e-6)
	}
	b := make([]float64, d+1)
	z := make([]float64, d+1)
	for range steps {
		gradient, hessian := make([]float64, d+1), make([][]float64, d+1)
		for i := range hessian {
			hessian[i] = make([]float64, d+1)
		}
		for _, s := range samples {
			z[0] = 1
			t := b[0]
			for i, x := range s.x {
				z[i+1] = (x - mean[i]) / scale[i]
				t += b[i+1] * z[i+1]
			}
			p := 1 / (1 + math.Exp(-t))
			miss, v := -s.weight*p, s.weight*max(p*(1-p), 1e-9)
			if s.isOwn {
				miss += s.weight
			}
			for i := range z {
				gradient[i] += miss * z[i]
				for k := range i + 1 {
					hessian[i][k] += v * z[i] * z[k]
				}
			}
		}
		for i := range hessian {
			for k := range i {
				hessian[k][i] = hessian[i][k]
			}
			if i > 0 {
				gradient[i] -= ridge * b[i]
				hessian[i][i] += ridge
			}
		}
		for i, x := range solve(hessian, gradient) {
			b[i] += x
		}
	}
	l := line{b[0], make([]float64, d)}
	for i := range l.weights {
		l.weights[i] = b[i+1] / scale[i]
		l.bias -= l.weights[i] * mean[i]
	}
	return l
}

// solve returns x of a x = b, for a symmetric and positive a, which it changes.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for c := range n {
		for r := c + 1; r < n; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < n; k++ {
				a[r][k] -= f * a[c][k]
			}
			b[r] -= f * b[c]
		}
	}
	for c := n - 1; c >= 0; c-- {
		for k := c + 1; k < n; k++ {
			b[c] -= a[c][k] * b[k]
		}
		b[c] /= a[c][c]
	}
	return b
}
